import type { Outcome } from '../replay/kept.ts';
import type { Labels } from './labels.ts';

/** What came of all conversations under one setting. */
export interface Score {
  readonly conversations: number;
  readonly trips: number;
  readonly savedTurns: number;
  /** Loops that were stopped. */
  readonly hits: number;
  /** Loops that were not. */
  readonly misses: number;
  /** Conversations that are no loops and were stopped. */
  readonly falseAlarms: number;
  /** Turns of the longest conversation that is fine: by its label, or else because it was not stopped. */
  readonly longestGood: number;
}

/** Adds up what a setting does. Conversations without a label count as trips only. */
export class ScoreCounter {
  readonly #labels: Labels;
  #score: Score = {
    conversations: 0,
    trips: 0,
    savedTurns: 0,
    hits: 0,
    misses: 0,
    falseAlarms: 0,
    longestGood: 0,
  };

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add({ id, turns, isStopped, savedTurns }: Outcome): void {
    const score = this.#score;
    const isLoop = this.#labels.get(id);
    const isGood = isLoop === undefined ? !isStopped : !isLoop;
    this.#score = {
      conversations: score.conversations + 1,
      trips: score.trips + Number(isStopped),
      savedTurns: score.savedTurns + savedTurns,
      hits: score.hits + Number(isLoop === true && isStopped),
      misses: score.misses + Number(isLoop === true && !isStopped),
      falseAlarms: score.falseAlarms + Number(isLoop === false && isStopped),
      longestGood: isGood ? Math.max(score.longestGood, turns) : score.longestGood,
    };
  }

  get score(): Score {
    return this.#score;
  }
}

/** Whether a setting is wrong less often than another. */
export function isBetter(a: Score, b: Score): boolean {
  return a.misses + a.falseAlarms < b.misses + b.falseAlarms;
}
