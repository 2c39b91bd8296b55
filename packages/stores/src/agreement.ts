import { DifferentOptionsError } from './errors.ts';

/** Options that all processes need to have in common, with their values. */
export type CommonOptions = Readonly<Record<string, string>>;

/**
 * Notes the options of a process on the server, beside those that are noted, and gives what was there. Where that differs, and the
 * process does not know of it, it notes nothing: an answer that is lost can be asked for again.
 */
export type NoteOptions = (own: CommonOptions, known: CommonOptions) => Promise<CommonOptions>;

/** So often the options of others may come in between. */
const MAX_ROUNDS = 16;

/** What an {@link Agreement} needs. */
export interface AgreementParts {
  /** What the processes share, such as "the budget 'main'". */
  readonly what: string;
  readonly own: CommonOptions;
  /** Missing where nothing is noted. */
  readonly ask: NoteOptions | undefined;
  readonly tell: (error: unknown) => void;
}

/** Compares the options of this process with those of the ones before it, once. */
export class Agreement {
  readonly #parts: AgreementParts;
  #own: CommonOptions;
  #key = '';
  /** What was compared. */
  readonly #asked: Set<string> = new Set();
  /** What was told of. */
  readonly #told: Set<string> = new Set();

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
    const { ask } = this.#parts;
    const [own, key] = [this.#own, this.#key];
    if (ask === undefined || this.#asked.has(key)) return;
    this.#asked.add(key);
    this.#compare(ask, own, key).catch(() => this.#asked.delete(key));
  }

  async #compare(ask: NoteOptions, own: CommonOptions, key: string): Promise<void> {
    let known: CommonOptions = {};
    for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
      const before = await ask(own, known);
      const news = newsIn(before, own, known);
      if (news.length === 0) return;
      known = before;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      const { tell, what } = this.#parts;
      const one = (name: string) => ({ name, own: own[name] ?? '', before: before[name] ?? '' });
      tell(new DifferentOptionsError(what, news.map(one)));
    }
  }
}

/** The names of options that are noted otherwise than here, unless that is known. */
export function newsIn(
  noted: CommonOptions,
  own: CommonOptions,
  known: CommonOptions,
): readonly string[] {
  return Object.keys(own).filter((name) => {
    const value = noted[name] ?? own[name];
    return value !== own[name] && value !== known[name];
  });
}

/** What a server has noted, which may be nothing yet. */
export function commonOptionsIn(text: unknown): CommonOptions {
  return typeof text === 'string' && text !== '' ? JSON.parse(text) : {};
}
