import { BoundedMap } from '../common/bounded-map.ts';
import { InvalidSnapshotError } from '../common/errors.ts';
import type { JsonValue } from '../common/json.ts';
import type { ModelRequestSignal, Signal, UsageSignal } from '../signal/signal.ts';

/** Tokens of the answer at which a call without `maxOutputTokens` is priced, until the model has given a longer one. */
export const ANSWER_TOKENS = 4096;
/** No longer answer is reserved: one with more tokens may be several in one. */
const MAX_ANSWER_TOKENS = 32_768;
/** The usual answer of a model that has given none. */
const FIRST_GUESS = 256;
/** Of so many models it is known how long their answers get. */
const MAX_MODELS = 256;

/** How long the answers of each model were so far, in tokens. */
export class AnswerTokens {
  readonly #models: BoundedMap<string, { longest: number; sum: number; count: number }> =
    new BoundedMap(MAX_MODELS);

  /** The longest answer of a model, or one that is longer than usual. */
  longest(model: string): number {
    return Math.max(ANSWER_TOKENS, this.#models.get(model)?.longest ?? 0);
  }

  /** The average answer of a model; a short one before the first. */
  usual(model: string): number {
    const { sum, count } = this.#models.get(model) ?? { sum: FIRST_GUESS, count: 1 };
    return Math.ceil(sum / count);
  }

  /** Takes in the answer of a call. One that cannot be read counts as a long one, which is also what is booked for it. A call that failed has none. */
  learn({ model, inputTokens, outputTokens, isPartial, error }: UsageSignal): void {
    const isUnread = isPartial || (inputTokens === 0 && error === undefined);
    if (outputTokens > 0) this.#add(model, Math.min(outputTokens, MAX_ANSWER_TOKENS));
    else if (isUnread) this.#add(model, this.longest(model));
  }

  #add(model: string, length: number): void {
    const known = this.#models.get(model);
    if (known === undefined) this.#models.set(model, { longest: length, sum: length, count: 1 });
    else {
      known.longest = Math.max(known.longest, length);
      known.sum += length;
      known.count++;
    }
  }
}

/** How long providers keep a prompt at least after they have read it. */
const KEPT_MS = 300_000;
const MAX_CALLERS = 64;

interface Cached {
  readonly at: number;
  readonly tokens: number;
}

/** How much of the next prompts of a conversation a provider will read from its cache, as far as its latest answers say. */
export class CachedPrompts {
  readonly #latest: BoundedMap<string, Cached> = new BoundedMap(MAX_CALLERS);

  /** What was read from the cache or written to it will be read the next time. */
  observe(usage: UsageSignal): void {
    const { at, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
    // An answer without figures says nothing of the cache.
    if (usage.inputTokens > 0) {
      this.#latest.set(callerKeyOf(usage), { at, tokens: cachedInputTokens + cacheWriteTokens });
    }
  }

  tokensFor(request: ModelRequestSignal): number {
    const latest = this.#latest.get(callerKeyOf(request));
    return latest !== undefined && request.at - latest.at < KEPT_MS ? latest.tokens : 0;
  }

  forget(): void {
    this.#latest.clear();
  }
}

function callerKeyOf({ agent, model }: UsageSignal | ModelRequestSignal): string {
  return `${agent.length}:${agent}${model}`;
}

/** Deeper chats count as this deep, which bounds the memory. */
const DEEPEST = 64;

/**
 * Estimates the length of the next prompt: everything said, returned and printed so far at one depth of nesting. A nested
 * chat starts with an empty history.
 */
export class HistoryMeter {
  #tokensByDepth: number[] = [];

  observe(signal: Signal, tokens: number): void {
    const depth = level(signal.depth ?? 0);
    if (signal.kind === 'nested-start')
      this.#tokensByDepth.length = Math.min(this.#tokensByDepth.length, depth);
    this.#tokensByDepth[depth] = this.tokens(depth) + tokens;
  }

  tokens(depth: number): number {
    return this.#tokensByDepth[level(depth)] ?? 0;
  }

  reset(): void {
    this.#tokensByDepth = [];
  }

  snapshot(): JsonValue {
    return Array.from(this.#tokensByDepth, (tokens) => tokens ?? 0);
  }

  restore(snapshot: JsonValue): void {
    const isKnown = Array.isArray(snapshot) && snapshot.length <= DEEPEST + 1;
    if (!isKnown || !snapshot.every((tokens) => Number.isFinite(tokens) && Number(tokens) >= 0)) {
      throw new InvalidSnapshotError('history', 'an array of numbers', snapshot);
    }
    this.#tokensByDepth = [...(snapshot as number[])];
  }
}

function level(depth: number): number {
  return Math.min(depth, DEEPEST);
}
