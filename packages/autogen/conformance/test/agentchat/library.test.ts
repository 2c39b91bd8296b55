import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { deviations } from '../../src/agentchat/deviations.ts';
import { agentchat } from '../../src/agentchat/library.ts';
import type { AnyCase } from '../../src/agentchat/vector.ts';
import { runCase } from '../../src/harness/run-vectors.ts';
import { readVectorFiles } from '../../src/harness/vector-files.ts';
import { committedVectors } from '../support/fixtures.ts';
import { libraryContract } from '../support/library-contract.ts';

const spec = fileURLToPath(new URL('../../../agentchat/SPEC.md', import.meta.url));

describe('AutoGen AgentChat', () => {
  libraryContract(agentchat, { every: 10, total: 223, maxDeviatingShare: 0.06 });

  test('[CONF6] every deviation stands in the SPEC.md of the package', async () => {
    const text = await readFile(spec, 'utf8');
    const missing = deviations.filter(
      ({ rule, tag }) => !text.includes(`| ${rule} `) || !text.includes(`\`${tag}\``),
    );
    expect(missing.map(({ rule }) => rule)).toEqual([]);
  });
});

describe('a case that is not as recorded', () => {
  const cases = new Map<string, AnyCase>();

  beforeAll(async () => {
    for (const file of await readVectorFiles<AnyCase>(committedVectors('agentchat'))) {
      for (const { id, vector } of file.cases) cases.set(id, vector);
    }
  });

  const outcome = async (id: string, changes: object): Promise<string> => {
    const vector = { ...cases.get(id), ...changes } as AnyCase;
    return (await runCase(agentchat, { id, vector })).outcome;
  };
  const condition = 'conditions/edge/and/frozen_child_counter';
  const team = 'teams/suite/round_robin_with_tools';
  const agent = 'agents/assistant/agent_tool/basic';
  const component = 'components/roundtrip/condition/max';

  /** What a case expects, with one text in it exchanged for another. */
  const altered = (id: string, from: string, to: string): object => {
    const vector = cases.get(id) as AnyCase & { readonly expected?: unknown };
    const text = JSON.stringify(vector.expected);
    expect(text).toContain(from);
    return { expected: JSON.parse(text.replace(from, to)) };
  };

  test.each([condition, team, agent, component])('[CONF7] %s passes unaltered', async (id) => {
    expect(await outcome(id, {})).toBe('passed');
  });

  test.each([
    ['a stop text', condition, '"Maximum number', '"Minimum number'],
    ['the terminated flag', condition, '"terminated":false', '"terminated":true'],
    ['a stop reason', team, '"stop_reason":"', '"stop_reason":"not '],
    ['a message', team, '"content":"Hello"', '"content":"Bye"'],
    ['a usage', team, '"prompt_tokens":', '"prompt_tokens":1'],
    [
      'the input of a condition',
      team,
      '"condition_log":[{"call":[{',
      '"condition_log":[{"call":[{"x":1,',
    ],
    ['an event of an agent', team, '"event":"reset"', '"event":"pause"'],
    ['the arguments of a tool', team, '"args":{"input":"pass"}', '"args":{}'],
    ['a request to a model', agent, '"tool_choice":"auto"', '"tool_choice":"none"'],
  ])('[CONF7] fails when %s differs', async (_what, id, from, to) => {
    expect(await outcome(id, altered(id, from, to))).toBe('failed');
  });

  test('[CONF7] fails when a step is left out or one too many is expected', async () => {
    const { steps, expected } = cases.get(condition) as Extract<AnyCase, { steps: unknown }>;
    expect(await outcome(condition, { steps: steps.slice(1) })).toBe('failed');
    expect(await outcome(condition, { expected: [...expected, {}] })).toBe('failed');
  });

  test('[CONF7] fails when a component is dumped in another way', async () => {
    expect(await outcome(component, { dumped: {} })).toBe('failed');
    expect(await outcome(component, { loaded_type: 'TextMentionTermination' })).toBe('failed');
  });

  test.each([
    'RoundRobinGroupChat',
    'OrTerminationCondition',
    'AssistantAgent',
    'UnboundedChatCompletionContext',
    'FunctionTool',
    'ReplayChatCompletionClient',
    'LocalCommandLineCodeExecutor',
  ])('[CONF21] may expect a component of class %s', async (expected) => {
    const { dumped } = cases.get(component) as Extract<AnyCase, { dumped?: unknown }>;
    const id = 'components/load/new';
    const reloaded_dump = { error: { type: 'TypeError', message: 'Expected type does not match' } };
    const vector: AnyCase = {
      id,
      op: 'load',
      expect: expected,
      input: dumped ?? {},
      reloaded_dump,
    };
    expect(await runCase(agentchat, { id, vector })).toMatchObject({ outcome: 'passed' });
    const right = { ...vector, expect: 'MaxMessageTermination' };
    expect((await runCase(agentchat, { id, vector: right })).outcome).toBe('failed');
  });

  test.each(['NoSuchTermination', 'toString', 'builtInComponents'])(
    '[CONF11] fails when it expects a component of class %s',
    async (expected) => {
      const id = 'components/load/new';
      const vector: AnyCase = { id, op: 'load', expect: expected, input: {} };
      const { outcome, reasons } = await runCase(agentchat, { id, vector });
      expect(outcome).toBe('failed');
      expect(reasons[0]).toContain(
        `expected a class that the shim exports, received '${expected}'`,
      );
    },
  );

  test('[CONF11] fails when the case cannot be played', async () => {
    const unknown = { steps: [{ op: 'dance' }], expected: [{ terminated: false }] };
    expect(await outcome(condition, unknown)).toBe('failed');
    expect(await outcome(condition, { condition: { class: 'NoSuchTermination' } })).toBe('failed');
  });
});
