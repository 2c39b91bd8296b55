import { Breaker, MemoryBudgetStore } from '@teamfuse/core';
import { SqliteBudgetStore } from '../../src/index.ts';

// So many calls of 7 tokens at once, on a budget for fewer of them; prints how many were made, and the books.
const [file = '', calls = '', fitting = ''] = process.argv.slice(2);
const results: unknown[] = [];
for (const store of [new MemoryBudgetStore(), new SqliteBudgetStore(file)]) {
  const breaker = new Breaker({
    budget: {
      maxTokens: 7 * Number(fitting),
      store: {
        reserve: async (...args) => store.reserve(...args),
        settle: async (...args) => store.settle(...args),
        totals: async (...args) => store.totals(...args),
      },
    },
  });
  const began = performance.now();
  let most = 0;
  const admissions = Array.from({ length: Number(calls) }, async (_, i) => {
    const call = { at: i, agent: 'a', model: 'm', requestId: `${i}` };
    const size = { inputTokens: 5, maxOutputTokens: 2 };
    const admission = await breaker.admit({ kind: 'model-request', ...call, ...size });
    if (!admission.isAdmitted) return false;
    const { spent, reserved } = await store.totals();
    most = Math.max(most, spent.tokens + reserved.tokens);
    breaker.observe({ kind: 'usage', ...call, inputTokens: 5, outputTokens: 2, costUsd: 0 });
    return true;
  });
  const made = (await Promise.all(admissions)).filter(Boolean).length;
  await new Promise(setImmediate);
  const ms = Math.round(performance.now() - began);
  results.push({ made, most, ms, ...(await store.totals()) });
}
console.log(JSON.stringify(results));
