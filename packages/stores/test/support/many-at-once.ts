import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { SqliteBudgetStore } from '../../src/index.ts';

// 10,000 calls of 7 tokens at once, on a budget for 6,000 of them; prints how many were made, and the books.
const CALLS = 10_000;
const MADE = 6_000;

const [file = ''] = process.argv.slice(2);
const results: unknown[] = [];
for (const store of [new MemoryBudgetStore(), new SqliteBudgetStore(file)]) {
  const breaker = new Breaker({
    budget: {
      maxTokens: 7 * MADE,
      store: {
        reserve: async (...args) => store.reserve(...args),
        settle: async (...args) => store.settle(...args),
        totals: async (...args) => store.totals(...args),
      },
    },
  });
  const began = performance.now();
  let most = 0;
  const calls = Array.from({ length: CALLS }, async (_, i) => {
    const call = { at: i, agent: 'a', model: 'm', requestId: `${i}` };
    const size = { inputTokens: 5, maxOutputTokens: 2 };
    const admission = await breaker.admit({ kind: 'model-request', ...call, ...size });
    if (!admission.isAdmitted) return false;
    const { spent, reserved } = await store.totals();
    most = Math.max(most, spent.tokens + reserved.tokens);
    breaker.observe({ kind: 'usage', ...call, inputTokens: 5, outputTokens: 2, costUsd: 0 });
    return true;
  });
  const made = (await Promise.all(calls)).filter(Boolean).length;
  await new Promise(setImmediate);
  const ms = Math.round(performance.now() - began);
  results.push({ made, most, ms, ...(await store.totals()) });
}
console.log(JSON.stringify(results));
