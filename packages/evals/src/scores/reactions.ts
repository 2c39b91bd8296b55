import { observe } from '@teamfuse/cli';
import { Breaker, type BreakerOptions, type Signal } from '@teamfuse/core';

/** A conversation to compare reactions on. */
export interface Played {
  readonly isLoop: boolean;
  readonly signals: readonly Signal[];
  /** What a user of it has declared. */
  readonly options: BreakerOptions;
  /** How many of the signals come before readers call it a loop: all of a healthy one. Missing where nobody has read it. */
  readonly workSignals?: number;
}

/** What a breaker did with one conversation, by the number of the signal, from 1. */
export interface Reacted {
  readonly isLoop: boolean;
  readonly toldAt: number | undefined;
  readonly stoppedAt: number | undefined;
}

/** Plays a conversation to a breaker until it trips. What is recorded heeds nothing that it would have been told. */
export function react({ isLoop, signals, options }: Played, reaction: 'stop' | 'ladder'): Reacted {
  let at = 0;
  let step = 0;
  let toldAt: number | undefined;
  const breaker = new Breaker({ ...options, reaction, now: () => at });
  breaker.on('finding', ({ effect }) => {
    if (effect === 'warn') toldAt ??= step;
  });
  for (const signal of signals) {
    at = signal.at;
    step++;
    observe(breaker, signal, raise);
    if (breaker.conversation().trip !== undefined) return { isLoop, toldAt, stoppedAt: step };
  }
  return { isLoop, toldAt, stoppedAt: undefined };
}

/** How many of some conversations were told and stopped, and the median number of signals until then. */
export interface Counted {
  readonly runs: number;
  readonly told: number;
  readonly stopped: number;
  readonly medianTold: number | undefined;
  readonly medianStopped: number | undefined;
}

export function count(all: readonly Reacted[]): Counted {
  const told = all.flatMap(({ toldAt }) => toldAt ?? []);
  const stopped = all.flatMap(({ stoppedAt }) => stoppedAt ?? []);
  return {
    runs: all.length,
    told: told.length,
    stopped: stopped.length,
    medianTold: median(told),
    medianStopped: median(stopped),
  };
}

function median(numbers: readonly number[]): number | undefined {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

function raise(error: unknown): never {
  throw error;
}
