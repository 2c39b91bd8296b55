import { Breaker } from '@teamfuse/core';
import { MemoryHistoryStore } from '@teamfuse/stores/history';
import { describe, expect, it } from 'vitest';
import { alarmOn, says } from '../../../testing/src/adapters/alarm.ts';
import { GuardContext, type GuardOptions, runTeam } from '../../src/index.ts';
import { streamTurn, takeTurn } from '../support/steps.ts';

const ANN = { user: 'ann' };
const BOB = { user: 'bob' };

function setUp(options: GuardOptions = {}) {
  const breaker = new Breaker({ detectors: [alarmOn(says('stuck'))] });
  const context = new GuardContext(breaker, options);
  context.settle(new Set());
  const whose: string[] = [];
  breaker.on('signal', ({ signal, conversation }) => {
    if (signal.kind === 'message') whose.push(`${conversation} ${signal.text}`);
  });
  const run = (text: string): Promise<unknown> =>
    runTeam(context, {
      name: 'team',
      work: async () => turn(context, text),
      stopped: () => undefined,
    });
  return { breaker, context, whose, run };
}

function turn(context: GuardContext, text: string): Promise<string> {
  return takeTurn(context, {
    agent: 'writer',
    work: async () => text,
    said: (said) => said,
    rehearsed: '',
  });
}

describe('work for somebody', () => {
  it('[KIT116] makes runs of the named tenant, in a new conversation for all of it', async () => {
    const { context, whose, run } = setUp();
    await context.runFor({ user: 'ann', team: 'blue' }, async () => {
      await run('one');
      await run('two');
    });
    await context.runFor(ANN, () => run('three'));
    await run('four');
    expect(whose).toEqual([
      'user:ann team:blue/team 2 one',
      'user:ann team:blue/team 2 two',
      'user:ann/team 3 three',
      ' four',
    ]);
  });

  it('[KIT116] continues the conversation that it names, or that the options name', async () => {
    const named = setUp();
    const chat = { ...ANN, conversation: 'chat 7' };
    await named.context.runFor(chat, () => named.run('one'));
    await Promise.all(
      ['two', 'three'].map((text) => named.context.runFor(chat, () => named.run(text))),
    );
    expect(named.whose).toEqual([
      'user:ann/chat 7 one',
      'user:ann/chat 7 two',
      'user:ann/chat 7, run 2 three',
    ]);
    const { context, whose, run } = setUp({ conversation: 'support' });
    await context.runFor(ANN, () => run('one'));
    await context.runFor(chat, () => run('two'));
    expect(whose).toEqual(['user:ann/support one', 'user:ann/chat 7 two']);
  });

  it('[KIT117] has a trip of its own', async () => {
    const { context, run } = setUp();
    const kinds = await Promise.all(
      [ANN, BOB].map((whom, at) =>
        context.runFor(whom, async () => {
          await run(at === 0 ? 'stuck' : 'well');
          return context.trip?.kind;
        }),
      ),
    );
    expect(kinds).toEqual(['custom:alarm', undefined]);
    expect(context.trip).toBeUndefined();
  });

  it('[KIT117] refuses wrong names before it begins', () => {
    const { context } = setUp();
    const never = (): never => expect.unreachable();
    expect(() => context.runFor({ user: undefined } as never, never)).toThrow('user');
    expect(() => context.runFor({ conversation: 'chat 7' }, never)).toThrow('needs the name');
    expect(() => context.runFor({ ...ANN, usr: 'x' } as never, never)).toThrow("'usr'");
    expect(() => context.runFor({ ...ANN, conversation: 7 } as never, never)).toThrow(
      'conversation',
    );
    expect(() => context.runFor(undefined as never, never)).toThrow('user, team or key');
    expect(() => context.runFor(ANN, 'work' as never)).toThrow('work');
  });

  it('[KIT117] refuses names that cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const work = (): number => 1;
    expect(() => setUp().context.runFor(proxy, work)).toThrow("option 'options'");
  });

  it('[KIT118] owns the streams that it opens, whoever reads them', async () => {
    const { context, whose } = setUp();
    const open = (text: string) =>
      async function* () {
        yield text;
      };
    const streams = [ANN, BOB].map((whom) =>
      context.runFor(whom, () =>
        streamTurn(context, {
          agent: 'writer',
          open: open(whom.user),
          said: (text) => text,
          rehearsed: '',
        }),
      ),
    );
    await context.runFor({ user: 'reader' }, async () => {
      for (const stream of streams) for await (const _ of stream);
    });
    expect(whose).toEqual(['user:ann/team 2 ann', 'user:bob/team 3 bob']);
  });

  it('[KIT119] stays nested in a run of the same names, and leaves one of others', async () => {
    const { breaker, context, whose } = setUp();
    const depths: number[] = [];
    breaker.on(
      'signal',
      ({ signal }) => signal.kind === 'message' && depths.push(signal.depth ?? 0),
    );
    const inner = async (): Promise<unknown> =>
      runTeam(context, { name: 'inner', work: () => turn(context, 'hello'), stopped: () => '' });
    const outer = async (): Promise<string> => {
      await context.runFor(ANN, inner);
      await context.runFor(BOB, inner);
      return '';
    };
    await context.runFor(ANN, () =>
      runTeam(context, { name: 'outer', work: outer, stopped: () => '' }),
    );
    await context.runFor(BOB, () => turn(context, 'by itself'));
    expect(whose).toEqual([
      'user:ann/team 2 hello',
      'user:bob/team 3 hello',
      'user:bob/team 4 by itself',
    ]);
    expect(depths).toEqual([1, 0, 0]);
  });

  it('[KIT119] goes on from what an earlier run has kept for the same names alone', () => {
    const { context } = setUp();
    const state = {};
    const ids = [ANN, ANN, BOB].map((whom) =>
      context.runFor(whom, () => {
        const run = context.openRun({ isApart: true, continues: state });
        context.within({ run, depth: 0, path: ['team'] }, () => context.keepFor(state));
        context.closeRun(run);
        return run.conversation.id;
      }),
    );
    expect(ids).toEqual(['user:ann/team 2', 'user:ann/team 2', 'user:bob/team 3']);
  });

  it('[KIT120] keeps a history of its own', async () => {
    const store = new MemoryHistoryStore();
    const { context, run } = setUp({ history: { store, task: 'report', lastRuns: 1 } });
    await context.runFor(ANN, () => run('stuck'));
    await context.runFor(BOB, () => run('well'));
    await expect(context.runFor(ANN, () => run('well'))).rejects.toThrow('user:ann/report');
    expect(store.latest('user:bob/report', 9).map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});
