import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal, type Trip } from '../../../src/index.ts';

interface Run {
  readonly code: string;
  readonly output: string;
  readonly exitCode: number;
}

const FILE = new URL('../../fixtures/storms/moving-line.json', import.meta.url);
const SERIES: [string, readonly Run[]][] = Object.entries(JSON.parse(readFileSync(FILE, 'utf8')));
const IN_CHANGING_PLACES = SERIES.filter(([name]) => name.includes('changing functions'));

const PLANS = ['load it first', 'wrap it', 'give it a name', 'check the path', 'split it in two'];

/** One run as a team is told of it, with what the coder says before. */
const TOLD: Readonly<Record<string, (run: Run, i: number) => Signal[]>> = {
  'an execution': ({ code, ...run }, i) => [
    said('coder', `Now I ${PLANS[i % PLANS.length]}, attempt ${i}.`, i),
    {
      kind: 'execution',
      at: 10_000 * i + 5000,
      agent: 'executor',
      language: 'python',
      code,
      ...run,
    },
  ],
  "an executor's message": ({ code, output, exitCode }, i) => [
    said('coder', `Now I ${PLANS[i % PLANS.length]}.\n\`\`\`python\n${code}\n\`\`\``, i),
    said('executor', `exitcode: ${exitCode} (execution failed)\nCode output: ${output}`, i + 0.5),
  ],
  'a tool call': ({ code, output }, i) => [
    said('coder', `Now I ${PLANS[i % PLANS.length]}, attempt ${i}.`, i),
    {
      kind: 'tool-call',
      at: 10_000 * i + 5000,
      agent: 'coder',
      tool: 'python',
      args: { code },
      error: { message: output },
    },
  ],
};

function said(agent: string, text: string, i: number): Signal {
  return { kind: 'message', at: 10_000 * i, agent, text };
}

/** What stops the team, and which run it is. */
function stop(
  rounds: readonly Signal[][],
  options: BreakerOptions = {},
): [number, Trip] | undefined {
  const breaker = new Breaker(options);
  for (const [i, round] of rounds.entries()) {
    for (const signal of round) {
      const trip = breaker.observe(signal);
      if (trip !== undefined) return [i + 1, trip];
    }
  }
  return undefined;
}

const FORMS = Object.keys(TOLD).flatMap((form) =>
  SERIES.map(([name, runs]) => [name, form, runs] as const),
);

describe('a storm whose failing line moves', () => {
  it.each(FORMS)('[STO1] is one by its fifth run: %s, told by %s', (_, form, runs) => {
    const [at, trip] = stop(runs.map(TOLD[form] as (typeof TOLD)[string])) ?? [];
    expect(trip).toMatchObject({ kind: 'execution-storm', basis: 'certain' });
    expect(at).toBeLessThanOrEqual(5);
  });

  it.each(FORMS)(
    '[STO18] is one by its fifth run where five are declared: %s, told by %s',
    (_, form, runs) => {
      const rounds = runs.map(TOLD[form] as (typeof TOLD)[string]);
      const [at, trip] = stop(rounds, { executionStorm: { limit: 5 } }) ?? [];
      expect(trip).toMatchObject({ kind: 'execution-storm' });
      expect(at).toBeLessThanOrEqual(5);
    },
  );

  it.each(FORMS)('[STO3] is left alone if the fifth run works: %s, told by %s', (_, form, runs) => {
    const tell = TOLD[form] as (typeof TOLD)[string];
    const rounds = runs.slice(0, 4).map(tell);
    const works = { kind: 'execution', at: 45_000, agent: 'executor', language: 'python' } as const;
    const ran: Signal = { ...works, code: 'print(42)', exitCode: 0, output: '42\n' };
    const answer: Signal[] =
      form === 'an execution'
        ? [ran]
        : form === 'a tool call'
          ? [
              {
                kind: 'tool-call',
                at: 45_000,
                agent: 'coder',
                tool: 'python',
                args: {},
                result: 42,
              },
            ]
          : [said('executor', 'exitcode: 0 (execution succeeded)\nCode output: 42', 4.5)];
    const more = runs.slice(4, 8).map((run, i) => tell(run, i + 5));
    expect(stop([...rounds, answer, ...more])).toBeUndefined();
  });

  it.each(IN_CHANGING_PLACES)(
    '[STO13] is left alone where each run follows something new: %s',
    (_, runs) => {
      const tell = TOLD['an execution'] as (typeof TOLD)[string];
      const rounds = runs.slice(0, 8).map((run, i) => [
        {
          kind: 'tool-call' as const,
          at: 10_000 * i,
          agent: 'coder',
          tool: 'read',
          args: { file: `part${i}.py` },
          result: `def part${i}(): ${i * 37} rows, ${i * 11} columns`,
        },
        ...tell(run, i),
      ]);
      expect(stop(rounds)).toBeUndefined();
    },
  );
});
