import { SpendCounter } from '@teamfuse/cli';
import type { Played, Reacted } from './reactions.ts';

/** What a reaction saves of a loop, and what it leaves of the work. */
export interface Worth {
  /** Tokens of a loop, and those after the stop; estimated where none are reported. */
  readonly tokens: number;
  readonly savedTokens: number;
  /** Signals of work, and those until the stop. */
  readonly work: number;
  readonly keptWork: number;
}

export function worthOf(
  { signals, isLoop, workSignals: work = 0 }: Played,
  { stoppedAt }: Reacted,
): Worth {
  const keptWork = Math.min(work, stoppedAt ?? work);
  if (!isLoop) return { tokens: 0, savedTokens: 0, work, keptWork };
  const counter = new SpendCounter();
  for (const [index, signal] of signals.entries()) {
    counter.add(signal);
    if (index + 1 === stoppedAt) counter.mark();
  }
  return { tokens: counter.spend.tokens, savedTokens: counter.saved.tokens, work, keptWork };
}

/** What a reaction is worth to some conversations, in shares. */
export interface Shares {
  /** Of the tokens of a loop it saves so much on average. */
  readonly ofEachLoop: number;
  /** Of those of all loops together, which the longest decide. */
  readonly ofAllLoops: number;
  readonly keptWork: number;
}

export function sharesOf(all: readonly Worth[]): Shares {
  const loops = all.filter(({ tokens }) => tokens > 0);
  const ofEach = loops.map(({ savedTokens, tokens }) => savedTokens / tokens);
  return {
    ofEachLoop: part(sum(ofEach), loops.length),
    ofAllLoops: part(sum(loops.map((one) => one.savedTokens)), sum(loops.map((one) => one.tokens))),
    keptWork: part(sum(all.map((one) => one.keptWork)), sum(all.map((one) => one.work))),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function part(some: number, all: number): number {
  return all === 0 ? 0 : some / all;
}
