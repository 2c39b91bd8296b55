import { InvalidOptionError } from '../errors.ts';
import { readOptions, type WithDefaults } from '../option-table.ts';
import { reading } from '../options.ts';
import { type Confirm, JUDGE_OPTIONS, type JudgeChoice, type JudgeOptions } from './question.ts';

/** A judge that may be asked, with all of its options. @internal */
export type Appointed = WithDefaults<JudgeOptions>;

/** What the judges of a breaker depend on. @internal */
export interface JudgesParts {
  /** Multiplies the defaults. */
  readonly factor: number;
  readonly hasExcerpts: boolean;
  /** The conversations, which drop their questions to a judge that was taken back. */
  readonly asking: () => readonly { renew(): unknown }[];
}

/** The judges of a breaker: its own, or else the first that a guard has lent it. */
export class Judges {
  /** What the options say about a judge that a guard lends. */
  readonly choice: boolean | string | undefined;
  readonly #own: Appointed | undefined;
  readonly #lent: Appointed[] = [];
  readonly #parts: JudgesParts;

  /** @throws {@link InvalidOptionError} @internal */
  constructor(judge: JudgeChoice | undefined, parts: JudgesParts) {
    this.#parts = parts;
    if (judge === undefined) return;
    checkJudge(judge);
    if (typeof judge === 'boolean' || typeof judge === 'string') {
      if (judge !== false) this.#refuseWithoutExcerpts(judge);
      this.choice = judge;
    } else this.#own = this.#read(judge);
  }

  get current(): Appointed | undefined {
    return this.#own ?? this.#lent[0];
  }

  /** Whether the breaker has its own judge, which a lent one never replaces. */
  get hasOwn(): boolean {
    return this.#own !== undefined;
  }

  /**
   * Lends the breaker a judge. Returns a function that takes it back; idempotent.
   * @throws {@link InvalidOptionError} if the breaker cannot take it.
   */
  lend(judge: Confirm | JudgeOptions): () => void {
    checkJudge(judge);
    const appointed = this.#read(judge);
    this.#lent.push(appointed);
    return () => {
      const at = this.#lent.indexOf(appointed);
      if (at < 0) return;
      this.#lent.splice(at, 1);
      for (const one of this.#parts.asking()) one.renew();
    };
  }

  #read(judge: Confirm | JudgeOptions): Appointed {
    const given = typeof judge === 'function' ? { confirm: judge } : judge;
    const read = readOptions('judge', given, JUDGE_OPTIONS, this.#parts.factor);
    this.#refuseWithoutExcerpts(judge);
    return read;
  }

  #refuseWithoutExcerpts(judge: JudgeChoice): void {
    if (this.#parts.hasExcerpts) return;
    const sentence =
      'judge cannot be combined with excerpts: false, because a judge reads what was said';
    throw new InvalidOptionError('judge', 'no judge with excerpts: false', judge, sentence);
  }
}

const EXPECTED = 'true or false, the name of a model, a function, or an object with confirm';

/** @throws {@link InvalidOptionError} */
export function checkJudge(judge: unknown): void {
  if (typeof judge === 'boolean' || (typeof judge === 'string' && judge !== '')) return;
  const { confirm, client } = reading('judge', EXPECTED, judge, () => {
    const { confirm = judge, create, doGenerate } = Object(judge);
    return { confirm, client: create ?? doGenerate };
  });
  if (typeof confirm === 'function') return;
  const sentence =
    typeof client === 'function'
      ? "option 'judge': a model client is no judge by itself; pass modelJudge(client) of @teamfuse/judge"
      : undefined;
  throw new InvalidOptionError('judge', EXPECTED, judge, sentence);
}
