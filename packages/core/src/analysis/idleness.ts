import type { News } from './news.ts';

/** From these figures on a turn is progress: words of news, and their share of all content. */
export interface NewsScale {
  readonly words: number;
  readonly share: number;
}

/** A repeat the first time: it may be one round of many things done twice on purpose. */
const FIRST_REPEAT = 0.4;
/** So short that a repeat means as little as anything else: `Yes`, `ok`, nothing. */
const TINY = 0.5;
const MAX_TINY_TOKENS = 3;
/** New words that are progress however much else there is. */
const MANY_WORDS = 40;
/** Share of new names and numbers in the content that makes them the point of the message. */
const FIGURES_SHARE = 0.05;
/** Share of new content of a message that says something else altogether. */
const OTHER_SHARE = 0.7;
/** Words of news in a long message that are enough if they make up {@link LONG_SHARE} of it. */
const LONG_WORDS = 12;
const LONG_SHARE = 0.4;

/** How idle a message is that was said `repeats` times before: 1 if it brings nothing at all. @internal */
export function idlenessOfRepeat(repeats: number, tokens: number, content: number): number {
  if (tokens <= MAX_TINY_TOKENS && content === 0) return TINY;
  return repeats === 1 && tokens > MAX_TINY_TOKENS ? FIRST_REPEAT : 1;
}

/** Whether a message was said before or is too short to be judged by its words. @internal */
export function isRepeat(repeats: number, tokens: number, content: number): boolean {
  return repeats > 0 || (tokens <= MAX_TINY_TOKENS && content === 0);
}

/** Whether the new names, numbers and words of a message make it progress without more ado. @internal */
export function isNewsworthy(news: News): boolean {
  const { content, newFigures, words, digits, weight } = news;
  if (content === 0) return false;
  if (newFigures > 0 && newFigures / content >= FIGURES_SHARE) return true;
  if (newFigures + digits > 0 && (words + newFigures + digits) / content >= OTHER_SHARE)
    return true;
  return weight >= LONG_WORDS && weight / content >= LONG_SHARE;
}

/**
 * How idle a message is by its words alone.
 *
 * Short messages are measured by how much is new in them, long ones by the share of it: a paraphrase of any length has
 * little of either.
 * @internal
 */
export function idlenessOfNews(news: News, scale: NewsScale): number {
  const { weight, words, content } = news;
  const byShare = weight / Math.max(1, content) / scale.share;
  return Math.max(0, 1 - Math.max(Math.min(weight / scale.words, byShare), words / MANY_WORDS));
}
