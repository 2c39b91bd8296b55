import type { BreakerOptions } from '@teamfuse/core';
import { stringify } from 'smol-toml';
import type { Score } from './score.ts';

/** How many times as long as the longest healthy conversation others may get. */
const ROOM = 2;

/**
 * A `teamfuse.toml` with these options, and what came of them. Where they name no `maxMessages`, every good conversation
 * stays well below the one that is written; where none is good, none is written.
 */
export function policyText(options: BreakerOptions, score: Score, isLabelled: boolean): string {
  const { conversations, hits, misses, falseAlarms, longestGood } = score;
  const why = isLabelled
    ? `${hits} of ${hits + misses} loops stopped, ${falseAlarms} false alarms`
    : 'no labels, so the detectors keep their settings';
  const length =
    longestGood > 0
      ? `The longest healthy conversation took ${longestGood} turns.`
      : 'No conversation was healthy, so none says how long one may get.';
  const given = longestGood > 0 ? { maxMessages: ROOM * longestGood } : {};
  return [
    `# Made by teamfuse tune from ${conversations} conversations: ${why}.`,
    `# ${length}`,
    stringify({ ...given, ...options }),
  ].join('\n');
}
