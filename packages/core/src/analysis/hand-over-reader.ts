import type { HandoffSignal } from '../signal/signal.ts';
import { hashText, mixHash } from './hash.ts';
import type { Memory } from './memory.ts';
import type { Reading } from './step.ts';
import { isNewsworthy } from './text/idleness.ts';

/** A hand-over brings little by itself, however it is worded. */
const MIN_IDLENESS = 0.3;
/** A word of news takes one of so many parts off, down to that. */
const NEWS_WORDS = 10;

/** Reads a hand-over: progress where its text has new names or numbers. @internal */
export function readHandOver(signal: HandoffSignal, memory: Memory, factRate: number): Reading {
  memory.reader.read(signal.text ?? '');
  const news = memory.take();
  const key = mixHash(hashText(signal.agent), hashText(signal.to));
  const hasFacts = news.newFigures > 0 && isNewsworthy(news, factRate);
  return {
    deed: { type: 'handed-over', key, subject: signal.to, repeats: memory.see(key) },
    idleness: hasFacts ? 0 : Math.max(MIN_IDLENESS, 1 - news.weight / NEWS_WORDS),
  };
}
