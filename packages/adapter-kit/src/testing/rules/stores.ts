import type { BudgetStore } from '@teamfuse/core';
import { ensure } from '../expect.ts';
import { assistant, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { Scene } from '../scene.ts';

/** Spend that cannot be accounted for is not spent. */
export const STORE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP70',
    'refuses a model call when the budget store answers nonsense or not at all, and reports it',
    ['model'],
    async (harness) => {
      const answers = [
        () => undefined,
        () => ({ isGranted: 'no', totals: { spent: Number.NaN } }),
        () => new Promise(() => {}),
      ];
      for (const reserve of answers) {
        const store = { reserve, settle: reserve, totals: reserve } as unknown as BudgetStore;
        const breaker = { budget: { maxTokens: 1000, store, storeTimeoutMs: 20 } };
        const script = team([assistant('bot', [{ says: 'one' }])]);
        const scene = new Scene(harness, script, { breaker });
        await scene.run();
        scene.expectBegun();
        const isReported = scene.problems.some(({ error }) => String(error).includes('reserve'));
        ensure(isReported, 'onError received no error of the store');
      }
    },
  ),
];
