import type { MaybePromise } from '@teamfuse/core/kit';
import type { HistoryStore, RunRecord } from '@teamfuse/stores/history';
import {
  type AsyncContractCheck,
  ContractViolationError,
  type Expect,
  sorted,
} from './contract-check.ts';

const ODD_TASKS = ['a', 'A', ' ', "'; DROP TABLE runs; --", '../..', '__proto__', 'ü', 'a\nb'];
const AT_ONCE = 20;
const LEAST_KEPT = 100;
const MOST_KEPT = 10_000;

/**
 * The rules that every history store keeps, as checks for any test runner.
 *
 * @param make makes a store with nothing in it that keeps as few records as it can be told to.
 * @example
 * ```ts
 * for (const { check } of historyStoreContract(() => new MemoryHistoryStore())) await check();
 * ```
 */
export function historyStoreContract(
  make: () => MaybePromise<HistoryStore>,
): readonly AsyncContractCheck[] {
  const rule = (
    id: string,
    title: string,
    check: (store: HistoryStore, expect: Expect) => Promise<void>,
  ): AsyncContractCheck => ({
    id,
    title,
    check: async () => check(await make(), expecting(id)),
  });
  return [
    rule(
      'HST1',
      'gives the latest records as they were, the newest first',
      async (store, expect) => {
        expect('an unknown task', await store.latest('none', 5), []);
        const runs = [run('a', 1), failed('a', 2), run('a', 3)];
        for (const one of [...runs, run('b', 4)]) await store.append(one);
        expect('all', await store.latest('a', 5), runs.toReversed());
        expect('the latest two', await store.latest('a', 2), runs.slice(1).toReversed());
      },
    ),
    rule('HST2', 'forgets one task and no other', async (store, expect) => {
      for (const one of [run('a', 1), run('b', 2), run('a', 3)]) await store.append(one);
      await store.clear('a');
      await store.clear('none');
      expect('the one cleared', await store.latest('a', 5), []);
      expect('the other one', await store.latest('b', 5), [run('b', 2)]);
    }),
    rule('HST3', 'tells tasks apart, whatever they are made of', async (store, expect) => {
      for (const [at, task] of ODD_TASKS.entries()) await store.append(run(task, at));
      for (const [at, task] of ODD_TASKS.entries()) {
        expect(`task ${JSON.stringify(task)}`, await store.latest(task, 5), [run(task, at)]);
      }
    }),
    rule('HST4', 'keeps all that is kept at the same time', async (store, expect) => {
      const all = Array.from({ length: AT_ONCE }, (_, at) => run('a', at));
      await Promise.all(all.map(async (one) => store.append(one)));
      const kept = (await store.latest('a', 2 * AT_ONCE)).map(({ at }) => at);
      expect(
        'all',
        [...kept].sort((a, b) => a - b),
        [...all.keys()],
      );
    }),
    rule('HST5', 'stays bounded', async (store, expect) => {
      const count = LEAST_KEPT + AT_ONCE;
      for (let at = 0; at < count; at++) await store.append(run('a', at));
      const kept = await store.latest('a', MOST_KEPT + 1);
      expect('whether enough are kept', kept.length >= LEAST_KEPT, true);
      expect('whether too many are kept', kept.length <= MOST_KEPT, true);
      expect('the newest', kept[0], run('a', count - 1));
    }),
  ];
}

function expecting(id: string): Expect {
  return (what, received, expected) => {
    const [got, wanted] = [sorted(received), sorted(expected)];
    if (got === wanted) return;
    throw new ContractViolationError(id, `${what}: expected ${wanted}, received ${got}`);
  };
}

const COST = { nanoUsd: 5, tokens: 1, unpricedTokens: 0, isEstimate: false };

function run(task: string, at: number): RunRecord {
  return { task, at, outcome: 'completed', cost: COST };
}

function failed(task: string, at: number): RunRecord {
  const failure = { kind: 'limit', subject: 'turns', reason: '9 of 9', fingerprint: 'f' };
  return { task, at, outcome: 'failed', cost: COST, failure };
}
