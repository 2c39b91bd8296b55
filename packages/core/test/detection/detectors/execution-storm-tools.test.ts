import { timeline } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { NORMAL } from '../../../src/detection/detectors/built-in-detector.ts';
import { ExecutionStormDetector } from '../../../src/detection/detectors/execution-storm.ts';
import { Breaker, type Signal } from '../../../src/index.ts';
import {
  type FailingRun,
  type FailingTool,
  readFailingTools,
} from '../../support/failing-tools.ts';

/** One failing run in each way in which a team is told of it. */
const FORMS: Readonly<Record<string, (command: string, run: FailingRun, at: number) => Signal>> = {
  'an execution': (code, { exitCode, output }, at) => ({
    kind: 'execution',
    at,
    agent: 'executor',
    language: 'sh',
    code,
    exitCode,
    output,
  }),
  'a failed tool call': (command, { output }, at) => ({
    kind: 'tool-call',
    at,
    agent: 'coder',
    tool: 'shell',
    args: { command, at },
    error: { message: output },
  }),
  "an executor's message": (_, { exitCode, output }, at) => ({
    kind: 'message',
    at,
    agent: 'executor',
    text: `exitcode: ${exitCode} (execution failed)\nCode output: ${output}`,
  }),
};

const PACE_MS = 20_000;
/** Lowers the default limit to the three runs that are recorded of each tool. */
const THREE = { ...NORMAL, factor: 0.6 };
const TOOLS = readFailingTools();

/** Each tool with something recorded of this sort, in each form. */
function cases(sort: 'same' | 'other' | 'fewer'): (readonly [string, string, FailingTool])[] {
  const tools = TOOLS.filter((tool) => tool[sort].length > 0);
  return Object.keys(FORMS).flatMap((form) =>
    tools.map((tool) => [tool.name, form, tool] as const),
  );
}

function signals(form: string, { command }: FailingTool, runs: readonly FailingRun[]): Signal[] {
  const create = FORMS[form] as (typeof FORMS)[string];
  return runs.map((run, i) => create(command, run, i * PACE_MS));
}

/** What the detector says of each run, when somebody says something before it. */
function storm(form: string, tool: FailingTool, runs: readonly FailingRun[]): string {
  const said = signals(form, tool, runs).flatMap((run, i): Signal[] => [
    { kind: 'message', at: run.at, agent: 'coder', text: `Let me try step ${i} of the plan.` },
    run,
  ]);
  const row = timeline(new ExecutionStormDetector({}, THREE), said);
  return [...row].filter((_, i) => i % 2 === 1).join('');
}

describe('ExecutionStormDetector, whatever the tool and its language', () => {
  it.each(cases('same'))('[STO8] trips on the same error of %s, told by %s', (_, form, tool) => {
    expect(storm(form, tool, tool.same)).toBe('..T');
  });

  it.each(cases('other'))('[STO8] leaves other errors of %s alone, told by %s', (_, form, tool) => {
    expect(storm(form, tool, tool.other)).not.toContain('T');
  });

  it.each(cases('fewer'))('[STO3] leaves fewer errors of %s alone, told by %s', (_, form, tool) => {
    expect(storm(form, tool, tool.fewer)).toBe('......');
  });

  it.each(cases('fewer'))('[STO3] trips once those of %s stay, told by %s', (_, form, tool) => {
    const last = tool.fewer.at(-1) as FailingRun;
    expect(storm(form, tool, [...tool.fewer, last, last])).toBe('.......T');
  });
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('a team that runs %s', (_, tool) => {
  /** Whether a breaker with its defaults trips on these runs, with an edit before each. */
  function trip(runs: readonly FailingRun[]): string | undefined {
    const breaker = new Breaker();
    for (const [i, run] of signals('an execution', tool, runs).entries()) {
      const edit = { file: 'src/main', line: 7 * i + 3, text: `step ${i} of the plan` };
      const base = { at: run.at, agent: 'coder' };
      breaker.observe({ kind: 'tool-call', ...base, tool: 'edit', args: edit, result: 'ok' });
      breaker.observe(run);
    }
    return breaker.conversation().trip?.kind;
  }

  it('[STO8] is stopped for a storm, and for nothing else', () => {
    expect(trip([...tool.same, ...tool.same])).toBe('execution-storm');
    expect(trip(tool.same)).toBeUndefined();
    expect(trip(tool.other)).toBeUndefined();
    expect(trip(tool.fewer)).toBeUndefined();
  });
});
