import { type AnalyzedSignal, isBookkeeping } from '../analysis/analyzed-signal.ts';
import { NO_SUSPICION, newsOf, type Suspicion } from '../analysis/suspicion.ts';
import { InvalidOptionError } from '../errors.ts';
import { quotation } from '../excerpt.ts';
import { basisOf, type Finding, type Found } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { andThen, isPromise, type MaybePromise } from '../maybe-promise.ts';
import type { JudgeUsage } from '../metering.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';
import type { Disclosure } from '../redact/disclosure.ts';
import { count, recordAt, text } from '../state/codec.ts';
import type { Trip } from '../trip.ts';
import { type Answer, readAnswer } from './answer.ts';
import { EXPECTED_JUDGE, refuseWithoutExcerpts } from './judges.ts';
import { LatestSignals } from './latest-signals.ts';
import type { Confirm, JudgeOptions } from './question.ts';
import { QuestionPace } from './question-pace.ts';

/** The events that a judge emits. @internal */
export interface JudgeEvents {
  emit(event: 'answer', payload: JudgeAnswer): void;
  emit(event: 'error', payload: { readonly error: unknown; readonly during: 'judge' }): void;
}

interface JudgeAnswer {
  readonly index: number;
  readonly probability: number;
  readonly reason: string;
}

/** What a {@link Judge} works with. @internal */
export interface JudgeParts {
  readonly events: JudgeEvents;
  readonly now: () => number;
  /** Multiplies the defaults. */
  readonly factor: number;
  readonly disclosure: Disclosure;
  /** Whether the budget allows a question. Never fails. */
  readonly mayAsk: () => MaybePromise<boolean>;
  /** Applies the configured reaction to a finding. */
  readonly act: (found: Found) => Trip | undefined;
  /** Books the cost of a question. */
  readonly book: (usage: JudgeUsage) => void;
}

const NAMES: OptionNames<JudgeOptions> = {
  confirm: true,
  askAt: true,
  stopFrom: true,
  maxQuestions: true,
  blocking: true,
};

interface Question {
  readonly index: number;
  readonly over: Promise<void>;
  readonly end: () => void;
}

const MAX_INDICES = 20;
const MAX_REASON = 300;

/**
 * Asks whether the team is going in circles each time enough staleness has added up, one question at a time.
 *
 * While it answers, a suspicion alone does not stop the team. If an answer fails, the breaker decides alone until the next.
 * @internal
 */
export class Judge {
  readonly isBlocking: boolean;
  readonly #confirm: Confirm;
  readonly #stopFrom: number;
  readonly #maxQuestions: number;
  readonly #parts: JudgeParts;
  readonly #latest: LatestSignals;
  readonly #pace: QuestionPace;
  #suspicion: Suspicion = NO_SUSPICION;
  /** The latest finding that waits for an answer. */
  #suspected: Found | undefined;
  #index = 0;
  #questions = 0;
  #isSilent = false;
  #question: Question | undefined;

  /** @throws {@link InvalidOptionError} */
  constructor(options: Confirm | JudgeOptions, parts: JudgeParts) {
    const given = typeof options === 'function' ? { confirm: options } : options;
    if (typeof given === 'object' && given !== null) checkNames('judge', given, NAMES);
    const { factor } = parts;
    const { confirm, askAt = 2.8 * factor, stopFrom = 0.5 * factor } = given;
    const { maxQuestions = 20, blocking = false } = given;
    if (typeof confirm !== 'function') {
      throw new InvalidOptionError('judge', EXPECTED_JUDGE, options);
    }
    this.#confirm = confirm;
    this.#stopFrom = finite('judge.stopFrom', stopFrom, Number.MIN_VALUE, 1);
    this.#pace = new QuestionPace(finite('judge.askAt', askAt, Number.MIN_VALUE), this.#stopFrom);
    this.#maxQuestions = integer('judge.maxQuestions', maxQuestions, 0);
    this.isBlocking = blocking;
    refuseWithoutExcerpts(options, parts.disclosure.hasExcerpts);
    this.#parts = parts;
    this.#latest = new LatestSignals(parts.disclosure);
  }

  get questions(): number {
    return this.#questions;
  }

  /** Counts a step. Human input settles the question that was asked before. */
  remember(step: AnalyzedSignal): void {
    const { index, signal, staleness, recurrence = 0, suspicion, isPerson } = step;
    if (isBookkeeping(signal)) return;
    this.#latest.remember(index, signal);
    this.#index = index;
    this.#suspicion = suspicion;
    if (isPerson) this.drop();
    if (staleness !== undefined && !isPerson) this.#pace.step(staleness, recurrence);
  }

  /** Whether a finding must be confirmed first; it then waits for the next answer. */
  hasToConfirm(found: Found): boolean {
    if (basisOf(found.finding) !== 'suspected' || this.#isSilent || this.#isExhausted) return false;
    this.#suspected = found;
    this.#pace.suspect();
    return true;
  }

  /** Asks if it is time. Returns the trip if the answer comes at once. */
  ask(): Trip | undefined {
    if (!this.#pace.isTime || this.#question !== undefined || this.#isExhausted) return undefined;
    this.#pace.ask();
    const question = newQuestion(this.#index);
    this.#question = question;
    const answer = andThen(this.#parts.mayAsk(), (mayAsk) =>
      mayAsk && this.#question === question ? this.#answer() : undefined,
    );
    if (isPromise(answer)) {
      answer.then((late) => this.#hear(question, late)).catch(this.#report);
      return undefined;
    }
    return this.#hear(question, answer as Answer | undefined);
  }

  /** Resolves when no question is pending; `undefined` if none is. */
  settled(): Promise<void> | undefined {
    return this.#question?.over.then(() => this.settled());
  }

  /** Drops the pending question: a late answer changes nothing. */
  drop(): void {
    const question = this.#question;
    this.#question = undefined;
    this.#suspected = undefined;
    this.#pace.settle();
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

  /** The counts, without the pending question and the signals. */
  snapshot(): JsonValue {
    const { task } = this.#latest;
    return { task, pace: this.#pace.snapshot(), questions: this.#questions };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    const state = recordAt('judge', snapshot);
    const task = text.read('judge.task', state.task);
    const questions = count.read('judge.questions', state.questions);
    this.reset();
    this.#pace.restore(state.pace);
    this.#latest.task = task;
    this.#questions = questions;
  }

  get #isExhausted(): boolean {
    return this.#questions >= this.#maxQuestions && this.#question === undefined;
  }

  #answer(): MaybePromise<Answer | undefined> {
    const { task } = this.#latest;
    this.#questions++;
    try {
      const { kind } = this.#suspicion;
      const given = this.#confirm({ task, signals: this.#latest.copy(), kind });
      return andThen<unknown, Answer | undefined>(
        given,
        (value) => readAnswer(value, this.#report),
        this.#report,
      );
    } catch (error) {
      return this.#report(error);
    }
  }

  /** Handles an answer. Always ends the question, even if the user's clock throws. */
  #hear(question: Question, answer: Answer | undefined): Trip | undefined {
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

  #decide(question: Question, answer: Answer, found: Found | undefined): Trip | undefined {
    const { probability } = answer;
    const { index } = question;
    const reason = this.#parts.disclosure.reason(answer.reason);
    this.#parts.events.emit('answer', { index, probability, reason });
    if (!this.#pace.answer(probability)) return undefined;
    const finding = this.#confirmed({ probability, reason }, found?.finding);
    return this.#parts.act({ finding, index: this.#index, at: this.#parts.now() });
  }

  #confirmed({ probability, reason }: Answer, suspected: Finding | undefined): Finding {
    const { kind, since, agents } = this.#suspicion;
    const why = reason === '' ? 'without a reason' : quotation(reason, MAX_REASON);
    const own = {
      agents,
      indices: this.#latest.indices.filter((index) => index >= since).slice(-MAX_INDICES),
      ...newsOf(this.#suspicion),
    };
    return {
      level: 'trip',
      kind: suspected?.kind ?? kind,
      reason: `the judge is ${Math.round(100 * probability)}% sure that the team is going in circles: ${why}`,
      evidence: {
        ...(suspected?.evidence ?? own),
        count: probability,
        limit: this.#stopFrom,
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

function newQuestion(index: number): Question {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { index, over, end };
}
