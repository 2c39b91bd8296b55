import { Breaker } from '@teamfuse/core';
import { loopDelay } from '../../../../test/loop-delay.ts';
import { SqliteBudgetStore, SqliteHistoryStore } from '../../src/index.ts';

// Asks for ten calls of 7 tokens, and for runs, while another process writes, and ends that one after a while; prints what came of it.
const [file = '', busyTimeoutMs = '', writer = '', afterMs = ''] = process.argv.slice(2);
const options = { busyTimeoutMs: Number(busyTimeoutMs) };
const outcomes: string[] = [];
const note = async (work: () => unknown): Promise<void> => {
  try {
    outcomes.push(JSON.stringify(await work()));
  } catch (error) {
    outcomes.push(String(Object(error).cause ?? error));
  }
};
const began = performance.now();
setTimeout(() => process.kill(Number(writer), 'SIGKILL'), Number(afterMs));
const delays = await loopDelay(async () => {
  const store = new SqliteBudgetStore(file, options);
  const breaker = new Breaker({ budget: { maxTokens: 42, store } });
  breaker.on('error', () => {});
  const history = new SqliteHistoryStore(file, options);
  const call = { kind: 'model-request', agent: 'a', model: 'm', inputTokens: 7 } as const;
  const admitted = async (i: number): Promise<unknown> =>
    (await breaker.admit({ ...call, at: i, requestId: `${i}` })).isAdmitted;
  await Promise.all([
    ...Array.from({ length: 10 }, (_, i) => note(() => admitted(i))),
    note(() => history.latest('task', 9)),
  ]);
});
console.log(JSON.stringify({ ...delays, outcomes, ms: performance.now() - began }));
