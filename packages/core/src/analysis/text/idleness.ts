import type { News } from './news.ts';

/** A result with less content is an acknowledgement: `ok`, `No match.` @internal */
export const MIN_RICH_CONTENT = 3;

/** What is done for something that has another name, and only acknowledged, neither is news nor stands still. @internal */
export const ITEM_DONE = 0.2;
/** An answer with less is an acknowledgement, however polite: it is as good as the item that it is for. */
const MIN_DATA_CONTENT = 8;
const MIN_DATA_NUMBERS = 2;

/** From these figures on a turn is progress: words of news, and their share of all content. */
export interface NewsScale {
  readonly words: number;
  readonly share: number;
}

/** A repeat the first time: it may be one round of many things done twice on purpose. */
const FIRST_REPEAT = 0.5;
/** So short that a repeat means as little as anything else: `Yes`, `ok`, nothing. */
const TINY = 0.5;
const MAX_TINY_TOKENS = 3;
/** New words that are progress however much else there is. */
const MANY_WORDS = 40;
/** Share of new names and numbers in the content that makes them the point of the message. */
const FIGURES_SHARE = 0.05;
/** Share of new content of a message that says something else altogether. */
const OTHER_SHARE = 0.7;
/** Below this share of news the words are old enough, from {@link FRESH_SHARE} on they are new. */
const MIXED_SHARE = 0.4;
const FRESH_SHARE = 0.7;
/** From two thirds of the turns on, facts are usual. */
const DROUGHT_FACTOR = 1.5;
/** Where facts are usual, so many more words are needed in their place. */
const DROUGHT_WORDS = 0.5;
/** An answer to somebody who says the same line over and over has to bring more than a few words. */
const BESIDE_FROZEN_LINE = 0.85;
const FROZEN_MIN_WORDS = 3;
const FROZEN_MAX_WORDS = 6;
/** Words of news in a long message that are enough if they make up {@link LONG_SHARE} of it. */
const LONG_WORDS = 12;
const LONG_SHARE = 0.4;

/** Whether a result says no more than that something was done. @internal */
export function isAcknowledgement({ content, allNumbers }: News): boolean {
  return content < MIN_DATA_CONTENT && allNumbers < MIN_DATA_NUMBERS;
}

/** How idle a message is that was said `repeats` times before: 1 if it brings nothing at all. @internal */
export function idlenessOfRepeat(repeats: number, tokens: number, content: number): number {
  if (isTiny(tokens, content)) return TINY;
  return repeats === 1 && tokens > MAX_TINY_TOKENS ? FIRST_REPEAT : 1;
}

/** Whether a message was said before or is too short to be judged by its words. @internal */
export function isRepeat(repeats: number, tokens: number, content: number): boolean {
  return repeats > 0 || isTiny(tokens, content);
}

/** Whether a message is too short to mean anything by itself. @internal */
export function isTiny(tokens: number, content: number): boolean {
  return tokens <= MAX_TINY_TOKENS && content < 1;
}

/** Whether the new names, numbers and words of a message make it progress without more ado. @internal */
export function isNewsworthy(news: News, factRate: number): boolean {
  const { content, newFigures, words, digits, weight } = news;
  if (content === 0) return false;
  if (newFigures > 0 && newFigures / content >= FIGURES_SHARE) return true;
  if (newFigures + digits > 0 && (words + newFigures + digits) / content >= OTHER_SHARE)
    return true;
  const enough = LONG_WORDS * (1 + DROUGHT_WORDS * droughtOf(factRate));
  return weight >= enough && weight / content >= LONG_SHARE;
}

/**
 * How idle a message is by its words alone.
 *
 * Short messages are measured by how much is new in them, long ones by the share of it: a paraphrase of any length has
 * little of either. Where nearly all words are new, that they are no facts counts only as far as facts are usual.
 * @internal
 */
export function idlenessOfNews(news: News, scale: NewsScale, factRate: number): number {
  const { weight, words, content } = news;
  const share = weight / Math.max(1, content);
  const fresh = clamp((share - MIXED_SHARE) / (FRESH_SHARE - MIXED_SHARE));
  const drought = droughtOf(factRate);
  const enoughWords = scale.words * (1 + DROUGHT_WORDS * fresh * drought);
  const known = Math.max(Math.min(weight / enoughWords, share / scale.share), words / MANY_WORDS);
  return Math.max(0, 1 - known) * (1 - fresh + fresh * drought);
}

/** Whether most of what a message says is new. @internal */
export function isFresh({ weight, content }: News): boolean {
  return content > 0 && weight / content >= FRESH_SHARE;
}

/** How idle an answer to somebody is who says the same line over and over. @internal */
export function idlenessBesideFrozenLine({ weight }: News, factRate: number): number {
  const few = clamp((FROZEN_MAX_WORDS - weight) / (FROZEN_MAX_WORDS - FROZEN_MIN_WORDS));
  return BESIDE_FROZEN_LINE * Math.max(few, droughtOf(factRate));
}

/** How much it says that a message holds no facts: all where facts are usual, little where they are rare. */
function droughtOf(factRate: number): number {
  return Math.min(1, DROUGHT_FACTOR * factRate);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
