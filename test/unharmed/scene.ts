import { Breaker, type BreakerOptions } from '../../packages/core/src/index.ts';
import type { Fault } from './fault.ts';

/** What the user hears of: the events of a breaker, an `onError`, or a promise of the user's own that rejects. */
export type Tell = (where: string) => void;

/** A program of a user in which something fails. */
export interface Scene {
  /** Where the user hears of it. */
  readonly told: string;
  /** Whether it fails in a way of its own, and so is played once. */
  readonly isOwnWay?: boolean;
  readonly play: (fault: Fault, tell: Tell) => unknown;
}

export type Scenes = Readonly<Record<string, Scene>>;

/** A breaker whose errors the user hears of. */
export function breakerOf(options: BreakerOptions, tell: Tell): Breaker {
  const breaker = new Breaker(options);
  breaker.on('error', ({ during }) => tell(during));
  return breaker;
}

/** Waits for what may reject: the user hears of that. */
export async function heard(work: PromiseLike<unknown>, tell: Tell): Promise<void> {
  try {
    await work;
  } catch {
    tell('caller');
  }
}
