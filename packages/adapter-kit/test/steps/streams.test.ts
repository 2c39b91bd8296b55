import { Breaker, type Signal, type Trip } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, streamTeam } from '../../src/index.ts';
import { streamModel, streamTool, streamTurn, takeTurn } from '../support/steps.ts';

function setUp() {
  const breaker = new Breaker();
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return { breaker, context: new GuardContext(breaker), signals };
}

async function* streamOf<T, R>(items: readonly T[], end: R): AsyncGenerator<T, R> {
  yield* items;
  return end;
}

async function read<T, R>(stream: AsyncGenerator<T, R>): Promise<{ items: T[]; end: R }> {
  const items: T[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return { items, end: next.value };
    items.push(next.value);
  }
}

const kinds = (signals: readonly Signal[]): string[] => signals.map(({ kind }) => kind);

describe('a turn that streams', () => {
  const turn = {
    agent: 'ann',
    open: () => streamOf(['Go', ' on.', 'Go on.'], undefined),
    said: (item: string) => (item === 'Go on.' ? item : undefined),
    rehearsed: 'Thank you.',
  };

  it('[KIT38] is asked for, and reports what is said as a whole', async () => {
    const { context, signals } = setUp();
    expect((await read(streamTurn(context, turn))).items).toEqual(['Go', ' on.', 'Go on.']);
    expect(signals).toMatchObject([{ kind: 'message', agent: 'ann', text: 'Go on.' }]);
  });

  it('[KIT38] does not begin after a trip', async () => {
    const { breaker, context } = setUp();
    breaker.stop('enough');
    let isOpen = false;
    const open = () => {
      isOpen = true;
      return turn.open();
    };
    await expect(read(streamTurn(context, { ...turn, open }))).rejects.toThrow('enough');
    expect(isOpen).toBe(false);
  });

  it('[KIT38] lets everything pass once the guard is removed', async () => {
    const { context, signals } = setUp();
    context.close();
    expect((await read(streamTurn(context, turn))).items).toHaveLength(3);
    expect(signals).toEqual([]);
  });
});

describe('a tool that streams', () => {
  const call = { agent: 'ann', tool: 'look', args: { at: 'sky' } };

  it('[KIT38] is reported with what it returns', async () => {
    const { context, signals } = setUp();
    const open = () => streamOf(['bl', 'ue'], 'blue');
    const { items, end } = await read(streamTool(context, { ...call, open }));
    expect([items, end]).toEqual([['bl', 'ue'], 'blue']);
    expect(signals).toMatchObject([{ kind: 'tool-call', tool: 'look', result: 'blue' }]);
  });

  it('[KIT38] is reported with what it fails with', async () => {
    const { context, signals } = setUp();
    async function* open(): AsyncGenerator<string, string> {
      yield 'bl';
      throw new Error('fog');
    }
    await expect(read(streamTool(context, { ...call, open }))).rejects.toThrow('fog');
    expect(signals).toMatchObject([{ kind: 'tool-call', error: { message: 'fog' } }]);
  });

  it('[KIT38] is not reported if its reader leaves', async () => {
    const { context, signals } = setUp();
    for await (const _ of streamTool(context, { ...call, open: () => streamOf(['bl'], '') })) break;
    expect(signals).toEqual([]);
  });
});

describe('a model that streams', () => {
  const usage = { inputTokens: 5, outputTokens: 2 };
  const info = { agent: 'ann', model: 'm', prompt: [{ content: 'four by four' }] };
  const usageOf = (item: { usage?: typeof usage | null }) => item.usage;

  it('[KIT38] is reported with the usage in its items, before the reader has it', async () => {
    const { context, signals } = setUp();
    const open = () => streamOf([{}, { usage }, {}], undefined);
    for await (const item of streamModel(context, { ...info, open, usageOf })) {
      expect(kinds(signals).includes('usage')).toBe('usage' in item || signals.length > 1);
    }
    expect(signals).toMatchObject([{ kind: 'model-request' }, { kind: 'usage', ...usage }]);
  });

  it('[KIT38] is reported with the last usage in its items, which counts once', async () => {
    const { breaker, context, signals } = setUp();
    const items = [{ usage: { inputTokens: 5, outputTokens: 1 } }, {}, { usage }];
    await read(streamModel(context, { ...info, open: () => streamOf(items, undefined), usageOf }));
    expect(signals.slice(1)).toMatchObject([{ outputTokens: 1 }, { kind: 'usage', ...usage }]);
    expect(breaker.cost.tokens).toBe(7);
  });

  it('[KIT38] counts the texts of its items if it has no usage', async () => {
    const { context, signals } = setUp();
    const open = () => streamOf(['four', ' by', ' four', 4], undefined);
    await read(streamModel(context, { ...info, open, usageOf: () => undefined }));
    const textOf = (item: string | number) => `${item}`.repeat(4);
    await read(streamModel(context, { ...info, open, usageOf: () => undefined, textOf }));
    const outputs = signals.filter(({ kind }) => kind === 'usage');
    expect(outputs).toMatchObject([{ outputTokens: 3 }, { outputTokens: 13 }]);
  });

  it.each([
    ['breaks off without an answer', [{}], { isPartial: true, inputTokens: 3 }],
    ['answers without usage', [{}, { usage: null }], { isPartial: true, inputTokens: 3 }],
  ])('[KIT38] that %s is reported as such', async (_, items, expected) => {
    const { context, signals } = setUp();
    await read(streamModel(context, { ...info, open: () => streamOf(items, undefined), usageOf }));
    expect(signals[1]).toMatchObject({ kind: 'usage', ...expected });
  });
});

describe('a model whose answer repeats itself', () => {
  const info = { agent: 'ann', model: 'm', usageOf: () => undefined };

  /** Reads an answer of so many pieces: what came, how it ended, and whether its source was left. */
  async function answer(piece: (i: number) => string, reaction: 'stop' | 'observe' = 'stop') {
    const breaker = new Breaker({ reaction });
    const context = new GuardContext(breaker);
    const heard = { wasLeft: false, pieces: 0 };
    async function* open(): AsyncGenerator<string, undefined> {
      heard.wasLeft = true;
      while (heard.pieces < 1_000) yield piece(heard.pieces++);
      heard.wasLeft = false;
    }
    const stream = streamModel(context, { ...info, open });
    const items: string[] = [];
    let error: unknown;
    let wasLeft: boolean | undefined;
    try {
      for await (const item of stream) {
        items.push(item);
        await Promise.resolve();
        wasLeft = breaker.stopped.length > 0 && items.length === heard.pieces;
      }
    } catch (thrown) {
      error = thrown;
    }
    return { ...heard, breaker, items, error, isLastHanded: wasLeft };
  }

  it('[KIT140] is left at its source, and its reader gets what came and then the trip', async () => {
    const { items, pieces, error, wasLeft, isLastHanded } = await answer(
      () => 'Once more I look. ',
    );
    expect(items.length).toBeGreaterThan(300);
    expect(items.length).toBeLessThan(420);
    expect([pieces, wasLeft, isLastHanded]).toEqual([items.length, true, true]);
    expect(error).toMatchObject({ code: 'TRIPPED', trip: { kind: 'repetition', agents: ['ann'] } });
  });

  it('[KIT140] is passed on where each piece is another one, or repetition only observed', async () => {
    const other = await answer((i) => `Once more I look at ${i}. `);
    expect([other.items.length, other.error, other.wasLeft]).toEqual([1_000, undefined, false]);
    const observed = await answer(() => 'Once more I look. ', 'observe');
    expect([observed.items.length, observed.error]).toEqual([1_000, undefined]);
  });
});

describe('a team that streams', () => {
  const team = {
    name: 'crew',
    task: 'Begin.',
    isLast: (item: string) => item.startsWith('end'),
    stopped: ({ reason }: Trip) => `end: ${reason}`,
  };
  const turn = (context: GuardContext, text: string): Promise<string> =>
    takeTurn(context, {
      agent: 'ann',
      work: async () => text,
      said: (said) => said,
      rehearsed: '',
    });

  it('[KIT38] is the outermost run, with its task and its items', async () => {
    const { context, signals } = setUp();
    const heard: string[] = [];
    async function* open() {
      yield await turn(context, 'one');
      yield 'end';
    }
    const stream = streamTeam(context, { ...team, open, onItem: (item) => heard.push(item) });
    expect((await read(stream)).items).toEqual(['one', 'end']);
    expect(heard).toEqual(['one', 'end']);
    expect(kinds(signals)).toEqual(['human-input', 'message']);
  });

  it('[KIT38] ends in good order if it is stopped', async () => {
    const { breaker, context } = setUp();
    async function* open() {
      yield await turn(context, 'one');
      breaker.stop('enough');
      yield await turn(context, 'two');
    }
    const { items } = await read(streamTeam(context, { ...team, open }));
    expect(items).toEqual(['one', 'end: enough']);
  });

  it('[KIT38] is nested work inside other work, and passes refusals on', async () => {
    const { breaker, context, signals } = setUp();
    const texts: string[] = [];
    async function* inner() {
      yield await turn(context, 'inside');
      breaker.stop('enough');
      yield await turn(context, 'never');
    }
    async function* outer() {
      yield* streamTeam(context, {
        ...team,
        name: 'inner',
        open: inner,
        onItem: (item) => texts.push(item),
        summary: () => texts.at(-1),
      });
    }
    expect((await read(streamTeam(context, { ...team, open: outer }))).items).toEqual([
      'inside',
      'end: enough',
    ]);
    expect(signals.slice(1)).toMatchObject([
      { kind: 'nested-start', depth: 1, path: ['crew', 'inner'], trigger: 'agent:inner' },
      { kind: 'message', depth: 1, text: 'inside' },
      { kind: 'nested-end', depth: 1, agent: 'inner', text: 'inside' },
    ]);
  });

  it('[KIT38] frees its conversation with its result, and if its reader leaves', async () => {
    const { context } = setUp();
    const open = () => streamOf(['one', 'end'], undefined);
    for await (const item of streamTeam(context, { ...team, open })) {
      expect(context.conversations.isIdle).toBe(item === 'end');
    }
    for await (const _ of streamTeam(context, { ...team, open })) break;
    expect(context.conversations.isIdle).toBe(true);
  });
});

it('[KIT39] a team that a tool puts to work is triggered by the tool, and a turn inside is of no tool', async () => {
  const { context, signals } = setUp();
  const inner = async function* () {
    expect(context.scope?.tool).toBeUndefined();
    yield 'end';
  };
  const hire = async () => {
    const isLast = (item: string) => item === 'end';
    const nested = { name: 'crew', open: inner, isLast, stopped: () => 'end' };
    return (await read(streamTeam(context, nested))).items;
  };
  const open = () =>
    streamTool(context, {
      agent: 'ann',
      tool: 'hire',
      args: {},
      open: async function* () {
        yield* await hire();
      },
    });
  await read(streamTeam(context, { name: 'outer', open, isLast: () => false, stopped: () => '' }));
  expect(signals).toContainEqual(
    expect.objectContaining({ kind: 'nested-start', trigger: 'tool:hire' }),
  );
});
