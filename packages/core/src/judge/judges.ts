import { InvalidOptionError } from '../errors.ts';
import { reading } from '../options.ts';
import type { Confirm, JudgeChoice, JudgeOptions } from './question.ts';

/** */
export interface Appointed {
  readonly judge: Confirm | JudgeOptions;
}

/** The judge of one conversation, as {@link Judges} see it. */
export interface Seat {
  /** @throws {@link InvalidOptionError} if it cannot take this judge. */
  check(judge: Confirm | JudgeOptions): void;
  /** Drops the question to a judge that was taken back. */
  renew(): void;
}

/** The judges of a breaker: its own, or else the first that a guard has lent it. */
export class Judges {
  /** What the options say about a judge that a guard lends. */
  readonly choice: boolean | string | undefined;
  readonly #own: Appointed | undefined;
  readonly #lent: Appointed[] = [];
  readonly #seats: () => readonly Seat[];

  /** @throws {@link InvalidOptionError} */
  constructor(judge: JudgeChoice | undefined, hasExcerpts: boolean, seats: () => readonly Seat[]) {
    if (judge !== undefined) checkJudge(judge);
    if (typeof judge === 'boolean' || typeof judge === 'string') {
      if (judge !== false) refuseWithoutExcerpts(judge, hasExcerpts);
      this.choice = judge;
    } else if (judge !== undefined) this.#own = { judge };
    this.#seats = seats;
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
   * @throws {@link InvalidOptionError} if the conversations cannot take it.
   */
  lend(judge: Confirm | JudgeOptions): () => void {
    this.#seats()[0]?.check(judge);
    const appointed: Appointed = { judge };
    this.#lent.push(appointed);
    return () => {
      const at = this.#lent.indexOf(appointed);
      if (at < 0) return;
      this.#lent.splice(at, 1);
      for (const seat of this.#seats()) seat.renew();
    };
  }
}

/** @throws {@link InvalidOptionError} */
export function checkJudge(judge: unknown): void {
  const isChoice = typeof judge === 'boolean' || (typeof judge === 'string' && judge !== '');
  const { confirm = judge } = reading('judge', EXPECTED_JUDGE, judge, () => ({
    confirm: (Object(judge) as Partial<JudgeOptions>).confirm,
  }));
  if (isChoice || typeof confirm === 'function') return;
  const { create, doGenerate } = Object(judge) as Readonly<Record<string, unknown>>;
  const isClient = typeof (create ?? doGenerate) === 'function';
  const sentence = isClient
    ? "option 'judge': a model client is no judge by itself; pass modelJudge(client) of @teamfuse/judge"
    : undefined;
  throw new InvalidOptionError('judge', EXPECTED_JUDGE, judge, sentence);
}

/** @internal */
export const EXPECTED_JUDGE =
  'true or false, the name of a model, a function, or an object with confirm';

/** @throws {@link InvalidOptionError} @internal */
export function refuseWithoutExcerpts(judge: JudgeChoice, hasExcerpts: boolean): void {
  if (hasExcerpts) return;
  const sentence =
    'judge cannot be combined with excerpts: false, because a judge reads what was said';
  throw new InvalidOptionError('judge', 'no judge with excerpts: false', judge, sentence);
}
