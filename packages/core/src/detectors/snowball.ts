import { restoredNumber, restoredNumbers, restoredRecord } from '../analysis/restored.ts';
import type { Step } from '../analysis/step.ts';
import type { JsonValue } from '../json.ts';

/** Share of new words in what a message is longer by, up to which the growth is made of old ones. */
const OWN_SHARE = 0.1;

/** Messages in a row that carry the ones before along. */
export interface Growth {
  /** Tokens of the message with which it began. */
  readonly core: number;
  /** Tokens of the latest one. */
  readonly tokens: number;
  readonly indices: readonly number[];
}

const NONE: Growth = { core: 0, tokens: 0, indices: [] };

/** Follows messages each of which is longer than the one before by what was said before, whoever says it. */
export class Snowball {
  readonly #ratio: number;
  readonly #length: number;
  #growth: Growth = NONE;

  /** `length` messages have to be longer each, and the latest `ratio` times as long as the one they began with. */
  constructor(ratio: number, length: number) {
    this.#ratio = ratio;
    this.#length = length;
  }

  /** Takes the next message in, and gives the growth that it is the end of, if it is of one. */
  observe({ said, tokens, index }: Step): Growth | undefined {
    const before = this.#growth;
    const added = tokens - before.tokens;
    const isLonger = added > 0 && before.core > 0;
    const indices = isLonger ? [...before.indices, index].slice(-this.#length) : [index];
    const core = isLonger ? before.core : tokens;
    this.#growth = { core, tokens, indices };
    if (!isLonger || indices.length < this.#length || tokens < this.#ratio * core) return undefined;
    return said?.isVariant && said.newWords <= OWN_SHARE * added ? this.#growth : undefined;
  }

  clear(): void {
    this.#growth = NONE;
  }

  snapshot(): JsonValue {
    const { core, tokens, indices } = this.#growth;
    return { core, tokens, indices: [...indices] };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { core, tokens, indices } = restoredRecord(path, snapshot);
    this.#growth = {
      core: restoredNumber(`${path}.core`, core),
      tokens: restoredNumber(`${path}.tokens`, tokens),
      indices: restoredNumbers(`${path}.indices`, indices),
    };
  }
}
