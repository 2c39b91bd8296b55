import {
  type ChatItem,
  ExternalTermination,
  FunctionalTermination,
  FunctionCallTermination,
  HandoffTermination,
  type JsonObject,
  MaxMessageTermination,
  SourceMatchTermination,
  StopMessageTermination,
  StructuredMessage,
  TerminatedException,
  type TerminationCondition,
  TextMentionTermination,
  TextMessageTermination,
  TimeoutTermination,
  TokenUsageTermination,
  ValueError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { called, executed, handoff, stop, text, thought } from '../said.ts';

type Row = readonly [
  id: string,
  make: () => TerminationCondition,
  passes: readonly ChatItem[],
  trips: readonly ChatItem[],
  reason: string,
];

const task = text('the task', 'user');
const usage = text('paid', 'bob', [6, 5]);

const rows: readonly Row[] = [
  ['COND1', () => new StopMessageTermination(), [text('stop')], [stop()], 'Stop message received'],
  [
    'COND2',
    () => new MaxMessageTermination(2),
    [task, thought('hm')],
    [task, text('one'), text('two')],
    'Maximum number of messages 2 reached, current message count: 3',
  ],
  [
    'COND2',
    () => new MaxMessageTermination(2, { includeAgentEvent: true }),
    [task],
    [task, thought('hm')],
    'Maximum number of messages 2 reached, current message count: 2',
  ],
  [
    'COND3',
    () => new TextMentionTermination('TERMINATE'),
    [text('terminate')],
    [text('I TERMINATE now')],
    "Text 'TERMINATE' mentioned",
  ],
  [
    'COND3',
    () => new TextMentionTermination("name='approve'"),
    [text('approve')],
    [called('approve')],
    "Text 'name='approve'' mentioned",
  ],
  [
    'COND3',
    () => new TextMentionTermination('OK', { sources: ['critic'] }),
    [text('OK', 'poet')],
    [text('OK', 'critic')],
    "Text 'OK' mentioned",
  ],
  [
    'COND4',
    () => new FunctionalTermination((messages) => messages.at(-1)?.source === 'critic'),
    [text('a', 'poet')],
    [text('b', 'critic')],
    'Functional termination condition met',
  ],
  [
    'COND4',
    () => new FunctionalTermination(async (messages) => messages.length > 1),
    [text('a')],
    [text('a'), text('b')],
    'Functional termination condition met',
  ],
  [
    'COND5',
    () => new TokenUsageTermination({ maxTotalToken: 20 }),
    [usage],
    [usage, usage],
    'Token usage limit reached, total token count: 22, prompt token count: 12, completion token count: 10.',
  ],
  [
    'COND5',
    () => new TokenUsageTermination({ maxPromptToken: 6 }),
    [text('free')],
    [usage],
    'Token usage limit reached, total token count: 11, prompt token count: 6, completion token count: 5.',
  ],
  [
    'COND5',
    () => new TokenUsageTermination({ maxPromptToken: 100, maxCompletionToken: 5 }),
    [text('free')],
    [usage],
    'Token usage limit reached, total token count: 11, prompt token count: 6, completion token count: 5.',
  ],
  [
    'COND6',
    () => new HandoffTermination('user'),
    [handoff('bob')],
    [task, handoff('user', 'bob')],
    'Handoff to user from bob detected.',
  ],
  [
    'COND9',
    () => new SourceMatchTermination(['bob', 'critic']),
    [task],
    [thought('hm', 'critic')],
    "'critic' answered",
  ],
  [
    'COND10',
    () => new TextMessageTermination(),
    [stop(), handoff('bob')],
    [stop(), text('hi', 'bob')],
    "Text message received from 'bob'",
  ],
  [
    'COND10',
    () => new TextMessageTermination('critic'),
    [text('hi', 'poet')],
    [text('hi', 'critic')],
    "Text message received from 'critic'",
  ],
  [
    'COND11',
    () => new FunctionCallTermination('approve'),
    [called('approve'), executed('search')],
    [executed('approve', 'no', true)],
    "Function 'approve' was executed.",
  ],
];

describe.each(rows)('[%s] %s', (id, make, passes, trips, reason) => {
  it(`[${id}] goes on, then stops with '${reason}'`, async () => {
    expect(await make().call(passes)).toBeNull();
    const condition = make();
    const message = await condition.call(trips);
    expect(message?.content).toBe(reason);
    expect(message?.source).toBe(condition.constructor.name);
    expect(condition.terminated).toBe(true);
  });

  it(`[TERM1] takes an empty delta`, async () => {
    expect(await make().call([])).toBeNull();
  });

  it(`[TERM2] throws once it has stopped, and starts anew when it is reset`, async () => {
    const condition = make();
    await condition.call(trips);
    const again = async (): Promise<unknown> => condition.call([]);
    await expect(again()).rejects.toThrow(
      new TerminatedException('Termination condition has already been reached'),
    );
    await condition.reset();
    expect(condition.terminated).toBe(false);
    expect(await condition.call(passes)).toBeNull();
    expect((await condition.call(trips))?.content).toBeDefined();
  });
});

describe('FunctionalTermination', () => {
  it('[COND4] counts nothing but true', async () => {
    const condition = new FunctionalTermination(() => 1 as unknown as boolean);
    expect(await condition.call([text('a')])).toBeNull();
  });

  it('[COND4] sees the data of a structured message', async () => {
    const report = { content: { score: 3 }, contentName: 'Report', source: 'a' };
    const condition = new FunctionalTermination(([first]) => {
      return first instanceof StructuredMessage && 'score' in first.content;
    });
    expect(await condition.call([new StructuredMessage(report)])).not.toBeNull();
  });
});

describe('TimeoutTermination', () => {
  it('[COND7] stops at the first call after its time, and starts its clock again at reset', async () => {
    let at = 1000;
    const condition = new TimeoutTermination(30, { now: () => at });
    at += 29_999;
    expect(await condition.call([])).toBeNull();
    at += 1;
    expect((await condition.call([]))?.content).toBe('Timeout of 30 seconds reached');
    await condition.reset();
    expect(await condition.call([])).toBeNull();
    at += 30_000;
    expect(await condition.call([])).not.toBeNull();
  });
});

describe('ExternalTermination', () => {
  it('[COND8] is only armed by set(), and disarmed by reset()', async () => {
    const condition = new ExternalTermination();
    condition.set();
    expect(condition.terminated).toBe(false);
    await condition.reset();
    expect(await condition.call([text('a')])).toBeNull();
    condition.set();
    expect((await condition.call([]))?.content).toBe('External termination requested');
  });
});

describe('arguments of conditions', () => {
  it.each<[string, () => unknown, string]>([
    [
      'a limit',
      () => new MaxMessageTermination(Number.NaN),
      "option 'maxMessages': expected a whole number, received NaN",
    ],
    ['a limit as text', () => new MaxMessageTermination('3' as unknown as number), 'received "3"'],
    [
      'a function',
      () => new FunctionalTermination('x' as unknown as () => boolean),
      "option 'func': expected a function",
    ],
    ['a limit', () => new MaxMessageTermination(2.5), 'received 2.5'],
    [
      'a token limit',
      () => new TokenUsageTermination({ maxPromptToken: Number.POSITIVE_INFINITY }),
      "option 'maxPromptToken': expected a whole number, received Infinity",
    ],
    ['no token limit', () => new TokenUsageTermination({}), 'At least one of max_total_token'],
    [
      'a text as a list',
      () => new SourceMatchTermination('user' as unknown as string[]),
      'option \'sources\': expected a list of texts, received "user"',
    ],
    [
      'sources',
      () => new TextMentionTermination('x', { sources: [1] as unknown as string[] }),
      "option 'sources': expected a list of texts, received a list",
    ],
    [
      'a text',
      () => new TextMentionTermination(undefined as unknown as string),
      "option 'text': expected a text, received undefined",
    ],
    [
      'a target',
      () => new HandoffTermination(3 as unknown as string),
      "option 'target': expected a text, received 3",
    ],
    [
      'a time',
      () => new TimeoutTermination(Number.NaN),
      "option 'timeoutSeconds': expected a finite number, received NaN",
    ],
  ])('[COND12] %s of the wrong kind is refused by name', (_what, make, message) => {
    expect(make).toThrow(ValueError);
    expect(make).toThrow(message);
  });

  it.each<[string, () => TerminationCondition]>([
    ['no messages', () => new MaxMessageTermination(0)],
    ['fewer than no messages', () => new MaxMessageTermination(-1)],
    ['no tokens', () => new TokenUsageTermination({ maxTotalToken: 0 })],
  ])(
    '[COND13] a limit of %s is terminated from birth, and after every reset',
    async (_what, make) => {
      const condition = make();
      expect(condition.terminated).toBe(true);
      await condition.reset();
      expect(condition.terminated).toBe(true);
    },
  );
});

describe('dumps of conditions', () => {
  it.each<[TerminationCondition, JsonObject]>([
    [new StopMessageTermination(), {}],
    [new MaxMessageTermination(3), { max_messages: 3, include_agent_event: false }],
    [new TextMentionTermination('x'), { text: 'x' }],
    [new TextMentionTermination('x', { sources: ['a'] }), { text: 'x', sources: ['a'] }],
    [new TokenUsageTermination({ maxPromptToken: 4 }), { max_prompt_token: 4 }],
    [new HandoffTermination('user'), { target: 'user' }],
    [new TimeoutTermination(0.5), { timeout_seconds: 0.5 }],
    [new ExternalTermination(), {}],
    [new SourceMatchTermination(['a']), { sources: ['a'] }],
    [new TextMessageTermination(), {}],
    [new TextMessageTermination('a'), { source: 'a' }],
    [new FunctionCallTermination('f'), { function_name: 'f' }],
  ])('[COMP1] %o names its class and its config', (condition, config) => {
    const label = condition.constructor.name;
    expect(condition.dumpComponent()).toEqual({
      provider: `autogen_agentchat.conditions.${label}`,
      component_type: 'termination',
      version: 1,
      component_version: 1,
      description: null,
      label,
      config,
    });
  });
});
