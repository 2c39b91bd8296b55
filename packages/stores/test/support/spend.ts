import { Breaker } from '@teamfuse/core';
import { SqliteBudgetStore } from '../../src/index.ts';

// Makes calls of 7 tokens each until the budget refuses one, or for ever so many. Prints a line for each that has ended.
const [file = '', limit = '', most = '', reservationMs = ''] = process.argv.slice(2);
const store = new SqliteBudgetStore(file, { reservationMs: Number(reservationMs) });
const breaker = new Breaker({ budget: { maxTokens: Number(limit), store } });
for (let call = 0; call < Number(most); call++) {
  const at = Date.now();
  const request = {
    kind: 'model-request',
    at,
    agent: 'a',
    model: 'm',
    requestId: `${call}`,
    inputTokens: 5,
    maxOutputTokens: 2,
  } as const;
  if (!(await breaker.admit(request)).isAdmitted) break;
  breaker.observe({
    kind: 'usage',
    at,
    agent: 'a',
    model: 'm',
    requestId: `${call}`,
    inputTokens: 5,
    outputTokens: 2,
    costUsd: 0,
  });
  process.stdout.write(`${call}\n`);
}
