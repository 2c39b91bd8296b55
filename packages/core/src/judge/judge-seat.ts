import type { JsonValue } from '../json.ts';
import { Judge, type JudgeParts } from './judge.ts';
import type { Appointed, Judges, Seat } from './judges.ts';
import type { Confirm, JudgeOptions } from './question.ts';

/** Never asked: keeps the state for the next judge. */
const NOBODY: Confirm = () => false;

/** The judge of one conversation; empty until the breaker has one. @internal */
export class JudgeSeat implements Seat {
  readonly #judges: Judges;
  readonly #parts: JudgeParts;
  #appointed: Appointed | undefined;
  /** Kept, but not asked, while the seat is empty. */
  #judge: Judge | undefined;

  /** @throws {@link InvalidOptionError} if the breaker's own judge is invalid. */
  constructor(judges: Judges, parts: JudgeParts) {
    this.#judges = judges;
    this.#parts = parts;
    this.renew();
  }

  /** The judge to ask. */
  get judge(): Judge | undefined {
    this.renew();
    return this.#appointed && this.#judge;
  }

  /** How many questions this conversation has asked any judge. */
  get questions(): number {
    return this.#judge?.questions ?? 0;
  }

  check(judge: Confirm | JudgeOptions): void {
    new Judge(judge, this.#parts);
  }

  renew(): void {
    const { current } = this.#judges;
    if (current === this.#appointed) return;
    this.#judge?.drop();
    if (current !== undefined) this.#judge = this.#seated(current);
    this.#appointed = current;
  }

  /** Forgets the conversation. */
  reset(): void {
    this.#judge?.reset();
  }

  snapshot(): JsonValue {
    return this.#judge?.snapshot() ?? null;
  }

  /** A judge that is lent later continues from it. @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    this.renew();
    if (snapshot === null) {
      this.reset();
      return;
    }
    if (this.#parts.disclosure.hasExcerpts) this.#judge ??= new Judge(NOBODY, this.#parts);
    this.#judge?.restore(snapshot);
  }

  /** Continues with the counts of the judge before. A late answer acts only while its judge is seated. */
  #seated(appointed: Appointed): Judge {
    const { act } = this.#parts;
    const judge = new Judge(appointed.judge, {
      ...this.#parts,
      act: (found) => (this.#judges.current === appointed ? act(found) : undefined),
    });
    const before = this.snapshot();
    if (before !== null) judge.restore(before);
    return judge;
  }
}
