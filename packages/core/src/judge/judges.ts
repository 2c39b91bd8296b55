import { InvalidOptionError } from '../common/errors.ts';
import { readOptions, type WithDefaults } from '../common/option-table.ts';
import { orInvalid } from '../common/options.ts';
import type { Tenant } from '../signal/tenant.ts';
import { type Confirm, JUDGE_OPTIONS, type JudgeChoice, type JudgeOptions } from './question.ts';

/** A judge that may be asked, with all of its options. */
export type CheckedJudge = WithDefaults<JudgeOptions>;

/** What the judges of a breaker depend on. */
interface JudgesParts {
  /** Multiplies the defaults. */
  readonly factor: number;
  readonly hasExcerpts: boolean;
  /** The conversations, which drop their questions to a judge that was taken back. */
  readonly openJudges: () => readonly { takeUp(): unknown }[];
}

/** The judges of a breaker: its own, or else the first that a guard has lent. */
export class Judges {
  /** What the options say about a judge that a guard lends. */
  readonly choice: boolean | string | undefined;
  readonly #own: CheckedJudge | undefined;
  readonly #lent: Lent[] = [];
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

  /** The judge that conversations of a tenant ask: nobody else's team pays for them, or reads what they say. */
  currentOf(tenant: Tenant): CheckedJudge | undefined {
    if (this.#own !== undefined || this.#lent.length === 0) return this.#own;
    return this.#lent.find(({ to }) => to.has(tenant))?.judge;
  }

  /** Whether the breaker has its own judge, which a lent one never replaces. */
  get hasOwn(): boolean {
    return this.#own !== undefined;
  }

  /**
   * Lends a tenant a judge. Returns a function that takes it back; idempotent.
   * @throws {@link InvalidOptionError} if the breaker cannot take it.
   */
  lendTo(to: Tenant, judge: Confirm | JudgeOptions): () => void {
    checkJudge(judge);
    const lent = { to, judge: this.#read(judge) };
    this.#lent.push(lent);
    return () => {
      const at = this.#lent.indexOf(lent);
      if (at < 0) return;
      this.#lent.splice(at, 1);
      for (const one of this.#parts.openJudges()) one.takeUp();
    };
  }

  #read(judge: Confirm | JudgeOptions): CheckedJudge {
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

/** A judge, and the tenant that it was lent to. */
interface Lent {
  readonly to: Tenant;
  readonly judge: CheckedJudge;
}

/** The judges of a breaker as a tenant sees them. */
export class TenantJudges {
  readonly #judges: Judges;
  readonly #tenant: Tenant;

  /** @internal */
  constructor(judges: Judges, tenant: Tenant) {
    this.#judges = judges;
    this.#tenant = tenant;
  }

  /** What the options say about a judge that a guard lends. */
  get choice(): Judges['choice'] {
    return this.#judges.choice;
  }

  /** Whether the breaker has its own judge, which a lent one never replaces. */
  get hasOwn(): boolean {
    return this.#judges.hasOwn;
  }

  /** The judge that is asked. */
  get current(): CheckedJudge | undefined {
    return this.#judges.currentOf(this.#tenant);
  }

  /**
   * Lends a judge. Returns a function that takes it back; idempotent.
   * @throws {@link InvalidOptionError} if the breaker cannot take it.
   */
  lend(judge: Confirm | JudgeOptions): () => void {
    return this.#judges.lendTo(this.#tenant, judge);
  }
}

const EXPECTED = 'true or false, the name of a model, a function, or an object with confirm';

/** @throws {@link InvalidOptionError} */
export function checkJudge(judge: unknown): void {
  if (typeof judge === 'boolean' || (typeof judge === 'string' && judge !== '')) return;
  const { confirm, client } = orInvalid('judge', EXPECTED, judge, () => {
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
