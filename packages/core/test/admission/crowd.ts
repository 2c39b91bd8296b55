import { expect } from 'vitest';
import { Breaker, isTripped } from '../../src/index.ts';
import { CALL } from '../support/calls.ts';

const CALLS = 4;

/** Many runs side by side, each in a conversation of its own, that all wait in their second call until `goOn` is called. */
function crowd(
  breaker: Breaker,
  count: number,
): {
  readonly begun: () => number;
  readonly goOn: () => void;
  readonly ends: Promise<readonly unknown[]>;
} {
  let begun = 0;
  let goOn = (): void => {};
  const halfway = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const run = async (id: string): Promise<unknown> => {
    const conversation = breaker.conversation(id);
    for (let i = 0; i < CALLS; i++) {
      const work = async (): Promise<string> => {
        begun++;
        if (i === 1) await halfway;
        return `row ${i}`;
      };
      await conversation.run({ ...CALL, args: { i } }, work);
    }
    return 'done';
  };
  const runs = Array.from({ length: count }, (_, i) =>
    run(`run ${i}`).catch((error: unknown) => (isTripped(error) ? error.trip.reason : error)),
  );
  return { begun: () => begun, goOn, ends: Promise.all(runs) };
}

/** Lets all promises go on that can. */
async function settled(): Promise<void> {
  for (let i = 0; i < 100; i++) await Promise.resolve();
}

/** A stop lets no call of so many runs begin, and ends the wait of each. */
export async function stopsAll(runs: number): Promise<void> {
  const breaker = new Breaker();
  const { begun, ends } = crowd(breaker, runs);
  await settled();
  expect(begun()).toBe(2 * runs);
  breaker.stop('emergency');
  expect(new Set(await ends)).toEqual(new Set(['emergency']));
  expect(begun()).toBe(2 * runs);
}

/** A stop of another breaker leaves so many runs alone. */
export async function leavesOthers(runs: number): Promise<void> {
  const breaker = new Breaker();
  const { begun, goOn, ends } = crowd(breaker, runs);
  await settled();
  new Breaker().stop('emergency');
  goOn();
  expect(new Set(await ends)).toEqual(new Set(['done']));
  expect(begun()).toBe(CALLS * runs);
}
