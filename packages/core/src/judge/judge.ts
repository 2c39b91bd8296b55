import type { Trip } from '../circuit/trip.ts';
import { BreakerError } from '../common/errors.ts';
import { quotation } from '../common/excerpt.ts';
import type { JsonValue } from '../common/json.ts';
import { andThen, isPromise, type MaybePromise } from '../common/maybe-promise.ts';
import { type AnalyzedSignal, isBookkeeping } from '../detection/analyzed-signal.ts';
import { basisOf, type Finding, type Found } from '../detection/finding.ts';
import { NO_SUSPICION, newsOf, type Suspicion } from '../detection/suspicion/suspicion.ts';
import { count, recordAt, text } from '../state/codec.ts';
import { type Answer, readAnswer, readJudgeUsage } from './answer.ts';
import type { JudgeParts } from './judge-parts.ts';
import type { CheckedJudge, TenantJudges } from './judges.ts';
import { LatestSignals } from './latest-signals.ts';
import { OpenQuestion } from './open-question.ts';
import { QuestionPace } from './question-pace.ts';

const MAX_INDICES = 20;
const MAX_REASON = 300;
/** The first question may take this many times the share of a later one. */
const FIRST_MAY_TAKE = 2.5;

/**
 * Asks the judge of a breaker about one conversation: whether the team is going in circles, each time enough staleness has
 * added up, one question at a time. Without a judge it asks nobody, and keeps its counts for the next one.
 *
 * While a judge answers, a suspicion alone does not stop the team. If an answer fails or is late, the breaker decides alone
 * until the next.
 */
export class Judge {
  readonly #judges: Pick<TenantJudges, 'current'>;
  readonly #parts: JudgeParts;
  readonly #latest: LatestSignals;
  #current: CheckedJudge | undefined;
  #pace: QuestionPace = new QuestionPace(1, 1);
  #suspicion: Suspicion = NO_SUSPICION;
  /** The latest finding that waits for an answer. */
  #suspected: Found | undefined;
  #index = 0;
  #questions = 0;
  #isSilent = false;
  #question: OpenQuestion | undefined;

  constructor(judges: Pick<TenantJudges, 'current'>, parts: JudgeParts) {
    this.#judges = judges;
    this.#parts = parts;
    this.#latest = new LatestSignals(parts.disclosure);
  }

  /** How many questions were asked in this conversation, whoever was the judge. */
  get questions(): number {
    return this.#questions;
  }

  /** Whether a question is open. */
  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  /** Whether steps wait for its answers. */
  get isBlocking(): boolean {
    return this.#judges.current?.blocking === true;
  }

  /** Takes up the judge to ask, and drops a question to one that was taken back. */
  takeUp(): CheckedJudge | undefined {
    const { current } = this.#judges;
    if (current === this.#current) return current;
    this.drop();
    this.#current = current;
    this.#isSilent = false;
    if (current !== undefined) {
      const before = this.#pace.snapshot();
      this.#pace = new QuestionPace(current.askAt, current.stopFrom);
      this.#pace.restore(before);
    }
    return current;
  }

  /** Counts a step. Human input drops the question that was asked before. */
  remember(step: AnalyzedSignal): void {
    const { index, signal, staleness, recurrence = 0, suspicion, isPerson } = step;
    if (this.takeUp() === undefined || isBookkeeping(signal)) return;
    this.#latest.remember(step);
    this.#index = index;
    this.#suspicion = suspicion;
    if (isPerson) this.drop();
    if (staleness !== undefined && !isPerson) this.#pace.step(staleness, recurrence);
  }

  /** Makes a finding that the judge has to confirm wait for its next answer. Returns whether it waits. */
  holdBack(found: Found): boolean {
    if (!this.#isAskable(this.takeUp()) || this.#isSilent) return false;
    if (basisOf(found.finding) !== 'suspected') return false;
    this.#suspected = found;
    this.#pace.suspect();
    return true;
  }

  /** Asks if it is time. Returns the trip if the answer comes at once. */
  ask(): Trip | undefined {
    const judge = this.takeUp();
    if (!this.#isAskable(judge) || this.#question !== undefined || !this.#pace.isTime)
      return undefined;
    if (!this.#isAffordable(judge)) return this.#actIfPoor();
    this.#pace.ask();
    const { timeoutMs } = judge;
    const late = (one: OpenQuestion): void => this.#late(one, timeoutMs);
    const question = new OpenQuestion(this.#index, timeoutMs, late, this.#parts.timers);
    this.#question = question;
    const answer = andThen(this.#parts.mayAsk(), (mayAsk) =>
      mayAsk && this.#question === question ? this.#answer(judge) : undefined,
    );
    if (!isPromise(answer)) return this.#hear(question, answer);
    answer.then((given) => this.#hear(question, given)).catch(this.#report);
    return undefined;
  }

  /** Resolves when no question is pending; `undefined` if none is. */
  answered(): Promise<void> | undefined {
    this.takeUp();
    return this.#question?.ended().then(() => this.answered());
  }

  /** Drops the pending question: a late answer changes nothing. */
  drop(): void {
    const question = this.#question;
    this.#question = undefined;
    this.#suspected = undefined;
    this.#pace.startOver();
    question?.end();
  }

  /** Forgets the conversation. */
  reset(): void {
    this.drop();
    this.#latest.reset();
    this.#suspicion = NO_SUSPICION;
    this.#pace.reset();
    this.#questions = 0;
    this.#isSilent = false;
  }

  /** The counts, without the pending question and the signals; `null` where a judge could read nothing. */
  snapshot(): JsonValue {
    if (!this.#parts.disclosure.hasExcerpts) return null;
    const { task } = this.#latest;
    return { task, pace: this.#pace.snapshot(), questions: this.#questions };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    this.takeUp();
    this.reset();
    if (snapshot === null || !this.#parts.disclosure.hasExcerpts) return;
    const state = recordAt('judge', snapshot);
    const task = text.read('judge.task', state.task);
    const questions = count.read('judge.questions', state.questions);
    this.#pace.restore(state.pace);
    this.#latest.task = task;
    this.#questions = questions;
  }

  #isAskable(judge: CheckedJudge | undefined): judge is CheckedJudge {
    if (judge === undefined) return false;
    return this.#questions < judge.maxQuestions || this.#question !== undefined;
  }

  /** Whether the questions take a small part of what the team spends. The first one may take more, a strong suspicion anything. */
  #isAffordable({ maxShare }: CheckedJudge): boolean {
    if (this.#questions > 0) return this.#parts.affords(maxShare, this.#latest.tokens);
    const share = FIRST_MAY_TAKE * maxShare;
    return this.#pace.isSuspected || this.#parts.affords(share, this.#latest.tokens);
  }

  /** It is asked as soon as the team has spent enough. What is suspected waits for that unless nothing is left to ask with. */
  #actIfPoor(): Trip | undefined {
    const found = this.#suspected;
    if (found === undefined) return undefined;
    const decided = andThen(this.#parts.mayAsk(), (mayAsk) => {
      if (mayAsk || this.#suspected !== found) return undefined;
      this.#suspected = undefined;
      this.#isSilent = true;
      return this.#parts.act(found);
    });
    if (!isPromise(decided)) return decided;
    decided.catch(this.#report);
    return undefined;
  }

  #answer({ confirm }: CheckedJudge): MaybePromise<Answer | undefined> {
    const { task } = this.#latest;
    this.#questions++;
    try {
      const { kind } = this.#suspicion;
      const given = confirm({ task, signals: this.#latest.copy(), kind });
      return andThen<unknown, Answer | undefined>(
        given,
        (value) => {
          try {
            return readAnswer(value, this.#report);
          } catch (error) {
            return this.#unusable(error, value);
          }
        },
        (error) => this.#unusable(error, error),
      );
    } catch (error) {
      return this.#unusable(error, error);
    }
  }

  /** An answer that says nothing is paid like any other. What it took stands in `given`. */
  #unusable(error: unknown, given: unknown): undefined {
    const { usage } = Object(given) as { readonly usage?: unknown };
    const read = usage === undefined ? undefined : readJudgeUsage(usage, this.#report);
    if (read !== undefined) this.#parts.book(read);
    return this.#report(error);
  }

  #late(question: OpenQuestion, timeoutMs: number): void {
    this.#report(new BreakerError('JUDGE', `the judge did not answer within ${timeoutMs} ms`));
    try {
      this.#hear(question, undefined);
    } catch (error) {
      this.#report(error);
    }
  }

  /** Handles an answer. Always ends the question, even if the user's clock throws. */
  #hear(question: OpenQuestion, answer: Answer | undefined): Trip | undefined {
    this.takeUp();
    const isDropped = this.#question !== question;
    const found = this.#suspected;
    if (!isDropped) {
      this.#question = undefined;
      this.#suspected = undefined;
    }
    try {
      if (answer?.usage !== undefined) this.#parts.book(answer.usage);
      if (isDropped) return undefined;
      this.#isSilent = answer === undefined;
      // Without an answer the breaker decides alone.
      if (answer === undefined) return found && this.#parts.act(found);
      return this.#decide(question, answer, found);
    } finally {
      question.end();
    }
  }

  #decide(question: OpenQuestion, answer: Answer, found: Found | undefined): Trip | undefined {
    const { probability } = answer;
    const { index } = question;
    const reason = this.#parts.disclosure.reason(answer.reason);
    this.#parts.events.emit('answer', { index, probability, reason });
    const { sum, isEnough } = this.#pace.answer(probability);
    if (!isEnough) return undefined;
    const together = sum === probability ? '' : 'all its answers taken together, ';
    const sure = `${together}the judge is ${Math.round(100 * sum)}% sure that the team is going in circles`;
    const why = reason === '' ? '' : `: ${quotation(reason, MAX_REASON)}`;
    const finding = this.#confirmed(sum, sure + why, found?.finding);
    return this.#parts.act({ finding, index: this.#index, at: this.#parts.now() });
  }

  #confirmed(probability: number, reason: string, suspected: Finding | undefined): Finding {
    const { kind, since, agents } = this.#suspicion;
    const own = {
      agents,
      indices: this.#latest.indices.filter((index) => index >= since).slice(-MAX_INDICES),
      ...newsOf(this.#suspicion),
    };
    return {
      level: 'trip',
      kind: suspected?.kind ?? kind,
      reason,
      evidence: {
        ...(suspected?.evidence ?? own),
        count: probability,
        limit: (1 + (this.#current?.stopFrom ?? 1)) / 2,
        subject: 'probability',
      },
      basis: 'judged',
    };
  }

  readonly #report = (error: unknown): undefined => {
    this.#parts.events.emit('error', { error, during: 'judge' });
    return undefined;
  };
}
