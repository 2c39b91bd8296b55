import { Breaker } from '@teamfuse/core';

/** Lets everything happen at a breaker once that is told of; `follow` begins that. */
export async function allHappenings(follow: (breaker: Breaker) => void): Promise<void> {
  const breaker = new Breaker({
    now: () => 0,
    judge: { confirm: () => 0.1 },
    maxMessages: 60,
  });
  follow(breaker);
  const unsubscribe = breaker.on('signal', () => {
    throw new Error('no disk');
  });
  breaker.observe({
    kind: 'usage',
    agent: 'ann',
    model: 'my-own',
    inputTokens: 9_000,
    outputTokens: 100,
  });
  unsubscribe();
  for (let n = 0; n < 60; n++) {
    breaker.observe({ kind: 'message', agent: n % 2 ? 'ann' : 'bob', text: 'Thank you so much.' });
    await breaker.admit({ kind: 'turn', agent: 'ann' });
  }
}
