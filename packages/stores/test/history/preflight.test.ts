import { describe, expect, it } from 'vitest';
import { HandTimers } from '../../../core/test/support/timers.ts';
import {
  type HistoryStore,
  MemoryHistoryStore,
  preflight,
  RepeatedFailureError,
  type RunFailure,
  type RunRecord,
} from '../../src/history/index.ts';

const TASK = 'nightly report';
const COST = { nanoUsd: 5, tokens: 1, unpricedTokens: 0, isEstimate: false };

function failure(subject = 'TypeError'): RunFailure {
  const reason = `'python' failed three times in a row with the same error: '${subject}'`;
  return { kind: 'execution-storm', subject, reason, fingerprint: `storm ${subject}` };
}

function run(at: number, fields: Partial<RunRecord> = {}): RunRecord {
  return { task: TASK, at, outcome: 'failed', failure: failure(), cost: COST, ...fields };
}

function completed(at: number): RunRecord {
  return { task: TASK, at, outcome: 'completed', cost: COST };
}

function storeWith(...runs: readonly RunRecord[]): MemoryHistoryStore {
  const store = new MemoryHistoryStore();
  for (const one of runs) store.append(one);
  return store;
}

function latestGiving(give: () => unknown): HistoryStore {
  return { append: () => {}, clear: () => {}, latest: give as HistoryStore['latest'] };
}

describe('preflight', () => {
  it('[HIS1] refuses a task whose last runs all ended in the same failure', async () => {
    const store = storeWith(run(0), run(86_400_000), run(172_800_000));
    await expect(preflight(store, { task: TASK })).rejects.toThrow(
      expect.objectContaining({
        name: RepeatedFailureError.name,
        code: 'REPEATED_FAILURE',
        times: 3,
        since: 0,
        last: 172_800_000,
        failure: failure(),
        message:
          `task "${TASK}" was not started: its last three runs, from 1970-01-01T00:00:00.000Z to 1970-01-03T00:00:00.000Z, ended in the same failure ` +
          "(execution-storm: 'python' failed three times in a row with the same error: 'TypeError'). Once the cause is fixed, call store.clear(task)",
      }),
    );
  });

  it.each<[string, readonly RunRecord[]]>([
    ['nothing is known', []],
    ['fewer have failed', [run(1), run(2)]],
    ['the last one succeeded', [run(1), run(2), run(3), completed(4)]],
    ['one of them succeeded', [run(1), run(2), completed(3), run(4)]],
    [
      'the last one failed otherwise',
      [run(1), run(2), run(3), run(4, { failure: failure('KeyError') })],
    ],
    [
      'the last one was stopped by hand',
      [run(1), run(2), run(3), { ...completed(4), outcome: 'stopped' }],
    ],
    ['they were of another task', [1, 2, 3].map((at) => run(at, { task: 'other' }))],
  ])('[HIS2] lets the task begin where %s', async (_, runs) => {
    await expect(preflight(storeWith(...runs), { task: TASK })).resolves.toBeUndefined();
  });

  it('[HIS3] lets the task begin once its history is cleared', async () => {
    const store = storeWith(run(1), run(2), run(3), run(3, { task: 'other' }));
    store.clear(TASK);
    await expect(preflight(store, { task: TASK })).resolves.toBeUndefined();
    expect(store.latest('other', 9)).toHaveLength(1);
  });

  it('[HIS1] goes by lastRuns', async () => {
    const store = storeWith(run(1), run(2), run(3), run(4), run(5));
    await expect(preflight(store, { task: TASK, lastRuns: 6 })).resolves.toBeUndefined();
    await expect(preflight(store, { task: TASK, lastRuns: 1 })).rejects.toMatchObject({ times: 5 });
  });

  it.each([
    [{ task: '' }, 'task'],
    [{ task: 5 }, 'task'],
    [{ task: 'x'.repeat(1001) }, 'task'],
    [{ task: TASK, lastRuns: 0 }, 'lastRuns'],
    [{ task: TASK, lastRuns: 101 }, 'lastRuns'],
    [{ task: TASK, timeoutMs: 0 }, 'timeoutMs'],
    [{ task: TASK, lastRun: 3 }, 'lastRun'],
  ])('[HIS7] refuses options out of range: %j', async (options, option) => {
    await expect(preflight(storeWith(), options as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      option,
    });
  });

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['the options', { store: new MemoryHistoryStore(), task: TASK }],
  ])('[HIS7] refuses %s in the place of a store, naming it', async (_, store) => {
    await expect(preflight(store as never, { task: TASK })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      option: 'store',
      message: expect.stringContaining('expected an object with a method latest'),
    });
    await expect(preflight(store as never, undefined as never)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      option: 'store',
    });
  });

  it.each<[string, () => unknown]>([
    ['failed: down', () => Promise.reject(new Error('down'))],
    [
      'failed: down',
      () => {
        throw new Error('down');
      },
    ],
    ['returned invalid data: expected an array, received nothing', () => undefined],
    ['returned invalid data: snapshot.runs[0]: expected an object, received null', () => [null]],
    ['returned invalid data: snapshot.runs[0].at: expected a time', () => [run(1e300)]],
    [
      'returned invalid data: snapshot.runs[0].outcome: expected completed or',
      () => [{ ...run(1), outcome: 'ok' }],
    ],
    [
      'returned invalid data: snapshot.runs[0].failure: expected an object',
      () => [{ ...run(1), failure: 5 }],
    ],
  ])('[HIS6] says what is wrong with a store: %s', async (text, give) => {
    await expect(preflight(latestGiving(give), { task: TASK })).rejects.toThrow(
      expect.objectContaining({
        code: 'HISTORY_STORE',
        member: 'latest',
        message: expect.stringContaining(`history store: latest ${text}`),
      }),
    );
  });

  it('[HIS6] waits for a store no longer than timeoutMs', async () => {
    const timers = new HandTimers();
    const store = latestGiving(() => new Promise(() => {}));
    const asked = preflight(store, { task: TASK, timeoutMs: 70, timers });
    expect(timers.waits).toEqual([70]);
    timers.ring();
    await expect(asked).rejects.toThrow('history store: latest did not answer within 70 ms');
  });
});
