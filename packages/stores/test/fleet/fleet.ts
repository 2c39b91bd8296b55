import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { generateSignals } from '@teamfuse/testing';
import { expect } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { MemoryConversationStore, runInConversation } from '../../src/fleet/index.ts';

const id = 'chat 7';

/** A breaker, and what it told as errors of stores. */
export function inProcess(options: BreakerOptions = {}): {
  readonly breaker: Breaker;
  readonly errors: readonly string[];
} {
  const breaker = new Breaker({ judge: false, now: () => 0, ...options });
  const errors: string[] = [];
  breaker.on('error', ({ error, during }) => errors.push(`${during}: ${(error as Error).message}`));
  return { breaker, errors };
}

/** A conversation that moves between three processes trips as it would in one. */
export async function tripsAsInOne(seed: number): Promise<void> {
  const random = new SeededRandom(seed);
  const signals = generateSignals(seed, 200);
  const { breaker: one } = inProcess();
  const whole = signals.map((signal) => one.conversation(id).observe(signal));
  const store = new MemoryConversationStore();
  const fleet = [inProcess(), inProcess(), inProcess()];
  const parts: (typeof whole)[number][] = [];
  for (let at = 0; at < signals.length; ) {
    const end = at + 1 + random.below(9);
    const { breaker } = fleet[random.below(fleet.length)] as { breaker: Breaker };
    await runInConversation(breaker, { store, id }, (chat) => {
      for (const signal of signals.slice(at, end)) parts.push(chat.observe(signal));
    });
    at = end;
  }
  expect(whole).toHaveLength(200);
  expect(parts).toEqual(whole);
  expect(fleet.flatMap(({ errors }) => errors)).toEqual([]);
}
