import { Breaker } from '@teamfuse/core';
import { Figures, nsOf } from './stopwatch.js';

/** All detectors, the limits, the budget and the context window. */
const EVERYTHING = {
  maxMessages: 1e9,
  maxRunMs: 1e12,
  stopTexts: [{ text: 'TERMINATE' }],
  budget: { maxUsd: 1e6, maxTokens: 1e12 },
  contextWindow: { maxContextTokens: 1e12 },
};

/**
 * What `Breaker.observe` takes for each signal after `history` others.
 *
 * Each run observes `count` signals that the breaker has not seen. Where they are more than the history, it starts anew
 * as soon as it would have doubled.
 */
export async function nsPerSignal({ traffic, history, count, runs, warmUps }) {
  const breaker = new Breaker(EVERYTHING);
  const stretch = Math.min(history, count);
  const stretches = Math.ceil(count / stretch);
  let isStarted = false;
  const run = () => {
    let taken = 0;
    for (let i = 0; i < stretches; i++) {
      if (!isStarted || stretch === history) {
        breaker.reset();
        for (const signal of traffic.next(history)) breaker.observe(signal);
        isStarted = true;
      }
      const signals = traffic.next(stretch);
      taken += nsOf(() => {
        for (const signal of signals) breaker.observe(signal);
      });
    }
    return taken / (stretches * stretch);
  };
  for (let i = 0; i < warmUps; i++) run();
  const figures = new Figures();
  await figures.add(runs, run);
  // A breaker that has opened does less, and healthy traffic must not open it.
  breaker.conversation().assertClosed();
  return figures;
}
