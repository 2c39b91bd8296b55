import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { message, usage } from '../../../core/test/support/signals.ts';
import { MemoryHistoryStore, type RunRecord, runWithHistory } from '../../src/history/index.ts';

const TASK = 'nightly report';

/** A run in which code fails in the same way until the circuit opens; says how many calls it began. */
function failing(breaker: Breaker, category = 'TypeError'): () => Promise<number> {
  return async () => {
    let calls = 0;
    while (breaker.conversation().trip === undefined) {
      const call = { kind: 'model-request', at: calls, agent: 'coder', model: 'm' } as const;
      if (!(await breaker.admit(call)).isAdmitted) break;
      breaker.observe(usage({ at: calls, agent: 'coder' }));
      breaker.observe({
        kind: 'execution',
        at: calls++,
        agent: 'runner',
        language: 'python',
        code: 'main()',
        exitCode: 1,
        output: `${category}: unsupported operand`,
      });
    }
    return calls;
  };
}

/** A session of a process of its own: a new breaker on the same history. */
async function session(
  store: MemoryHistoryStore,
  work: (breaker: Breaker) => () => Promise<unknown> = failing,
  lastRuns = 6,
): Promise<unknown> {
  const breaker = new Breaker({ now: () => 1000 });
  return runWithHistory(breaker, { store, task: TASK, lastRuns }, work(breaker));
}

function outcomes(store: MemoryHistoryStore): readonly RunRecord['outcome'][] {
  return store.latest(TASK, 99).map(({ outcome }) => outcome);
}

describe('runs with a history', () => {
  it('[HIS4] refuse the seventh session before its first call when six failed alike', async () => {
    const store = new MemoryHistoryStore();
    for (let i = 1; i <= 6; i++) expect(await session(store)).toBe(3);
    let begun = 0;
    const seventh = session(store, () => async () => ++begun);
    await expect(seventh).rejects.toMatchObject({ code: 'REPEATED_FAILURE', times: 6 });
    expect(begun).toBe(0);
    expect(outcomes(store)).toHaveLength(6);
  });

  it('[HIS4] go on when the sixth session failed otherwise, or succeeded', async () => {
    for (const sixth of [(breaker: Breaker) => failing(breaker, 'KeyError'), () => async () => 0]) {
      const store = new MemoryHistoryStore();
      for (let i = 1; i <= 5; i++) await session(store);
      await session(store, sixth);
      expect(await session(store)).toBe(3);
    }
  });

  it('[HIS5] keep when they ended, how, why and what it has cost', async () => {
    const store = new MemoryHistoryStore();
    await session(store);
    expect(store.latest(TASK, 1)).toEqual([
      {
        task: TASK,
        at: 1000,
        outcome: 'failed',
        failure: {
          kind: 'execution-storm',
          subject: 'TypeError',
          reason: expect.stringContaining("three times in a row with the same error: 'TypeError:"),
          fingerprint: expect.stringMatching(/^\w{1,11}$/),
        },
        cost: { nanoUsd: 3_000_000, tokens: 45, unpricedTokens: 0, isEstimate: false },
      },
    ]);
  });

  it('[HIS5] count the cost of this run alone', async () => {
    const store = new MemoryHistoryStore();
    const breaker = new Breaker();
    breaker.observe(usage());
    const result = await runWithHistory(breaker, { store, task: TASK }, () => {
      breaker.observe(usage({ inputTokens: 1, outputTokens: 1 }));
      return 'done';
    });
    expect(result).toBe('done');
    expect(store.latest(TASK, 1)).toMatchObject([{ outcome: 'completed', cost: { tokens: 2 } }]);
  });

  it('[HIS5] are known by the error that they throw, numbers aside', async () => {
    const store = new MemoryHistoryStore();
    for (const port of [4711, 4712, 4713]) {
      const crash = (): never => {
        throw Object.assign(new Error(`port ${port} is in use`), { code: 'EADDRINUSE' });
      };
      await expect(session(store, () => async () => crash(), 3)).rejects.toThrow('in use');
    }
    await expect(session(store, failing, 3)).rejects.toMatchObject({
      failure: { kind: 'error', subject: 'EADDRINUSE' },
    });
  });

  it('[HIS5] tell a stop by hand and a circuit that has closed again from a failure', async () => {
    const store = new MemoryHistoryStore();
    await session(store, (breaker) => async () => breaker.stop('lunch'));
    await session(store, (breaker) => async () => {
      breaker.stop('by mistake');
      breaker.reset();
    });
    expect(outcomes(store)).toEqual(['completed', 'stopped']);
  });

  it('[HIS5] take the trip of any conversation, and a limit whoever reaches it', async () => {
    const store = new MemoryHistoryStore();
    for (const agent of ['a', 'b', 'c']) {
      const breaker = new Breaker({ maxMessages: 1 });
      await runWithHistory(breaker, { store, task: TASK }, () => {
        breaker.conversation(`chat of ${agent}`).observe(message(agent, 'hello'));
      });
    }
    await expect(session(store, failing, 3)).rejects.toMatchObject({ failure: { kind: 'limit' } });
  });

  it.each<[string, BreakerOptions]>([
    ['by default', {}],
    ['with a function of the user', { redact: (text) => text.replaceAll('Miller', '[customer]') }],
    ['where excerpts are off', { excerpts: false }],
  ])(
    '[HIS8] keep no secret of an error, nor tells one the error of the refused run: %s',
    async (_, options) => {
      const store = new MemoryHistoryStore();
      const run = (i: number): Promise<never> => {
        const secret = `sk-proj-0a1b2c3d4e5f6g7h${i}`;
        const message = `no access: ${secret}, {"password":"it's-hunter2"} for ${options.redact ? 'Miller' : 'us'}`;
        const error = Object.assign(new TypeError(message), { code: `ENO ${secret}` });
        return runWithHistory(new Breaker(options), { store, task: TASK }, () => {
          throw error;
        });
      };
      for (const i of [1, 2, 3]) await expect(run(i)).rejects.toThrow('no access');
      const refused = await run(4).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'REPEATED_FAILURE', times: 3 });
      const { message, stack } = refused as Error;
      const told = JSON.stringify([store.latest(TASK, 99), refused, message, stack]);
      expect(told).toContain('TypeError');
      for (const secret of ['sk-proj', 'hunter2', 'Miller']) expect(told).not.toContain(secret);
      expect(told.includes('no access')).toBe(options.excerpts !== false);
    },
  );

  it('[HIS8] keep the class and the code of an error where excerpts are off, and tell errors apart', async () => {
    const store = new MemoryHistoryStore();
    for (const message of ['the disk of ada is full', 'ada is out']) {
      const error = Object.assign(new RangeError(message), { code: 'ENOSPC' });
      const run = runWithHistory(new Breaker({ excerpts: false }), { store, task: TASK }, () => {
        throw error;
      });
      await expect(run).rejects.toBe(error);
    }
    const [second, first] = store.latest(TASK, 2).map(({ failure }) => failure);
    expect(first).toMatchObject({
      subject: 'ENOSPC',
      reason: 'RangeError (ENOSPC): message withheld',
    });
    expect(first?.fingerprint).not.toBe(second?.fingerprint);
  });

  it('[HIS8] keep an error as it is where redact is false', async () => {
    const store = new MemoryHistoryStore();
    const run = runWithHistory(new Breaker({ redact: false }), { store, task: TASK }, () => {
      throw new Error('password=x1');
    });
    await expect(run).rejects.toThrow();
    expect(store.latest(TASK, 1)[0]?.failure?.reason).toBe('Error: password=x1');
  });

  it('[HIS6] go on where the history fails, which is told as an error', async () => {
    const broken = (): never => {
      throw new Error('disk full');
    };
    const breaker = new Breaker();
    const errors: unknown[] = [];
    breaker.on('error', ({ error, during }) => errors.push([during, String(error)]));
    const store = { append: broken, latest: broken, clear: broken };
    expect(await runWithHistory(breaker, { store, task: TASK }, () => 'done')).toBe('done');
    expect(errors).toEqual([
      ['history', 'HistoryStoreError: history store: latest failed: disk full'],
      ['history', 'HistoryStoreError: history store: append failed: disk full'],
    ]);
  });

  it('[HIS6] go on where the clock fails, which is told as an error', async () => {
    let isBroken = false;
    const now = (): number => {
      if (isBroken) throw new Error('no time');
      return 0;
    };
    const breaker = new Breaker({ now });
    const errors: unknown[] = [];
    breaker.on('error', ({ error, during }) => errors.push([during, String(error)]));
    const store = new MemoryHistoryStore();
    const work = (): string => {
      isBroken = true;
      return 'done';
    };
    expect(await runWithHistory(breaker, { store, task: TASK }, work)).toBe('done');
    expect(errors).toEqual([['history', 'Error: no time']]);
  });
});
