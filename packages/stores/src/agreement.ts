import { DifferentOptionsError } from './errors.ts';

/** Options that all processes need to have in common, with their values. */
export type CommonOptions = Readonly<Record<string, string>>;

/** What an {@link Agreement} needs. */
export interface AgreementParts {
  /** What the processes share, such as "the budget 'main'". */
  readonly what: string;
  readonly own: CommonOptions;
  /** Notes the options on the server, and gives those of the processes before. Missing where nothing is noted. */
  readonly ask: ((own: CommonOptions) => Promise<CommonOptions>) | undefined;
  readonly tell: (error: unknown) => void;
}

/** Compares the options of this process with those of the ones before it, once. */
export class Agreement {
  readonly #parts: AgreementParts;
  #own: CommonOptions;
  #key = '';
  /** What was compared. */
  readonly #asked: Set<string> = new Set();

  constructor(parts: AgreementParts) {
    this.#parts = parts;
    this.#own = parts.own;
    this.add({});
  }

  /** Options of those that this process does it for. */
  add(options: CommonOptions): void {
    this.#own = { ...this.#own, ...options };
    this.#key = JSON.stringify(this.#own);
  }

  /** Asks the server, which has just answered. If it does not, that is for the next time. */
  seek(): void {
    const { ask, tell, what } = this.#parts;
    const [own, key] = [this.#own, this.#key];
    if (ask === undefined || this.#asked.has(key)) return;
    this.#asked.add(key);
    const compare = (before: CommonOptions): void => {
      const differing = Object.keys(own)
        .filter((name) => (before[name] ?? own[name]) !== own[name])
        .map((name) => ({ name, own: own[name] ?? '', before: before[name] ?? '' }));
      if (differing.length > 0) tell(new DifferentOptionsError(what, differing));
    };
    ask(own).then(compare, () => this.#asked.delete(key));
  }
}

/** What a server has noted, which may be nothing yet. */
export function commonOptionsIn(text: unknown): CommonOptions {
  return typeof text === 'string' && text !== '' ? JSON.parse(text) : {};
}
