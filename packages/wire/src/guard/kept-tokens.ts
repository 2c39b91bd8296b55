import { readUsage } from '@teamfuse/core';
import { BoundedMap } from '@teamfuse/core/kit';
import type { WireAnswer, WireRequest } from '../formats/format.ts';

/** What a request goes on with that the server keeps. */
export interface Kept {
  /** How long it is, as far as the guard has seen it. */
  readonly tokens: number;
  /** Is told the tokens of an answer that is whole, its prompt included. */
  readonly answered: (tokens: number, answer: WireAnswer) => void;
}

const MAX_KEPT = 10_000;
/** What a server is taken to keep that the guard has not seen. */
const UNSEEN_TOKENS = 16_384;

/** What servers keep, in tokens: of histories, by the answer or the conversation that a request goes on with, and caches. */
export class KeptTokens {
  readonly #tokens: BoundedMap<string, number> = new BoundedMap(MAX_KEPT);

  /** What a request of a scope goes on with. */
  of({ previousId, cache }: WireRequest, scope: string): Kept {
    const key = (named: string): string => `${scope} ${named}`;
    const told = [previousId, cache].flatMap((named) => (named === undefined ? [] : [key(named)]));
    const tokens = told.reduce((sum, one) => sum + (this.#tokens.get(one) ?? UNSEEN_TOKENS), 0);
    return {
      tokens,
      answered: (total, { id, usage }) => {
        for (const named of [id, previousId]) {
          if (named !== undefined) this.#tokens.set(key(named), total);
        }
        if (cache === undefined) return;
        this.#tokens.set(key(cache), readUsage(usage)?.cachedInputTokens ?? UNSEEN_TOKENS);
      },
    };
  }
}
