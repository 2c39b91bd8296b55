import type { Step } from '../analysis/step.ts';
import type { BreakerEvents } from '../breaker/breaker-events.ts';
import { InvalidOptionError } from '../errors.ts';
import type { Finding, FindingKind, Found } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { andThen, isPromise, type MaybePromise } from '../maybe-promise.ts';
import type { Signal } from '../signal/signal.ts';
import type { Trip } from '../trip.ts';
import { ClearedSuspicions, type Suspicion } from './cleared-suspicions.ts';
import { LatestSignals } from './latest-signals.ts';

/**
 * Says whether a team goes in circles indeed.
 *
 * @param finding what a detector suspects: of level `trip` if it is sure, `warn` if it is in doubt.
 * @param recentSignals copies of the latest signals from the first one of the evidence on, 64 at most.
 */
export type Confirm = (finding: Finding, recentSignals: readonly Signal[]) => MaybePromise<boolean>;

/** `unknown` is what becomes of a question that could not be answered. */
type Verdict = 'loop' | 'no-loop' | 'unknown';

/** What a {@link SecondOpinion} works with. @internal */
export interface SecondOpinionParts {
  readonly events: BreakerEvents;
  readonly now: () => number;
  /** Does what the user chose for what is a loop indeed. */
  readonly act: (found: Found) => Trip | undefined;
}

interface Question {
  readonly over: Promise<void>;
  readonly end: () => void;
}

/**
 * Asks the user's {@link Confirm} about suspicions, one at a time, and acts on what it says.
 *
 * What is found while a question is under way waits if it is sure of itself; if it is in doubt, it will be found again.
 * @internal
 */
export class SecondOpinion {
  readonly #confirm: Confirm;
  readonly #parts: SecondOpinionParts;
  readonly #signals: LatestSignals = new LatestSignals();
  #cleared: ClearedSuspicions = new ClearedSuspicions();
  #depth = 0;
  #next: Suspicion | undefined;
  #question: Question | undefined;
  readonly #failed = (error: unknown): Verdict => {
    this.#parts.events.emit('error', { error, during: 'confirm' });
    return 'unknown';
  };

  /** @throws {@link InvalidOptionError} */
  constructor(confirm: Confirm, parts: SecondOpinionParts) {
    if (typeof confirm !== 'function')
      throw new InvalidOptionError('confirm', 'a function', confirm);
    this.#confirm = confirm;
    this.#parts = parts;
    parts.events.on('state', ({ to }) => {
      if (to.status === 'open' || to.status === 'stopped') this.drop();
    });
  }

  /** Keeps a signal for whoever is asked about it. A person who speaks settles what was asked before. */
  remember({ index, signal, idleness, isPerson }: Step): void {
    this.#signals.remember(index, signal);
    // What starts a chat is part of the conversation around it.
    this.#depth = (signal.depth ?? 0) - (signal.kind === 'nested-start' ? 1 : 0);
    if (idleness === 0) this.#cleared.moveOn(index, signal);
    if (isPerson) this.drop();
  }

  /** Takes in what the latest signal shows, to be asked about with {@link SecondOpinion.ask}. */
  suspect(found: Found): void {
    const isSure = found.finding.level === 'trip';
    const isFirst = this.#next === undefined && (this.#question === undefined || isSure);
    const isSurer = isSure && this.#next?.finding.level === 'warn';
    const mayAsk = this.#cleared.mayAsk(found);
    if (mayAsk && (isFirst || isSurer)) this.#next = { ...found, depth: this.#depth };
  }

  /** Asks about what is suspected, unless a question is under way. Gives the trip if the answer comes at once. */
  ask(): Trip | undefined {
    while (this.#next !== undefined && this.#question === undefined) {
      const found = this.#next;
      this.#next = undefined;
      if (!this.#cleared.mayAsk(found)) continue;
      const question = newQuestion();
      this.#question = question;
      const verdict = this.#verdictOn(found);
      if (isPromise(verdict)) {
        verdict.then((late) => this.#hear(question, found, late)).catch(this.#failed);
        return undefined;
      }
      const trip = this.#answered(question, found, verdict);
      if (trip !== undefined) return trip;
    }
    return undefined;
  }

  /** Comes once no question is under way; `undefined` if none is. */
  settled(): Promise<void> | undefined {
    return this.#question?.over.then(() => this.settled());
  }

  /** Gives up what is suspected and asked: a late answer changes nothing. */
  drop(): void {
    const question = this.#question;
    this.#next = undefined;
    this.#question = undefined;
    question?.end();
  }

  /** Forgets the conversation, but for what was `cleared` of it. */
  reset(cleared: ClearedSuspicions = new ClearedSuspicions()): void {
    this.drop();
    this.#signals.reset();
    this.#cleared = cleared;
  }

  /** What was cleared. A question under way and the signals themselves are not in it. */
  snapshot(): JsonValue {
    return this.#cleared.snapshot();
  }

  #verdictOn({ finding }: Found): MaybePromise<Verdict> {
    const read = (answer: unknown): Verdict => {
      if (typeof answer === 'boolean') return answer ? 'loop' : 'no-loop';
      return this.#failed(
        new TypeError(`confirm: expected true or false, received a value of type ${typeof answer}`),
      );
    };
    try {
      const signals = this.#signals.copySince(finding.evidence.indices[0] ?? 0);
      return andThen<unknown, Verdict>(this.#confirm(finding, signals), read, this.#failed);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Takes a late answer. Whatever goes wrong then, such as the user's clock, nobody waits for it any more. */
  #hear(question: Question, found: Suspicion, verdict: Verdict): void {
    try {
      this.#answered(question, { ...found, at: this.#parts.now() }, verdict);
      this.ask();
    } finally {
      if (this.#question === question) this.#question = undefined;
      question.end();
    }
  }

  #answered(question: Question, found: Suspicion, verdict: Verdict): Trip | undefined {
    if (this.#question !== question) return undefined;
    this.#question = undefined;
    const isLoop = verdict === 'loop' || (verdict === 'unknown' && found.finding.level === 'trip');
    if (isLoop) return this.#parts.act(asSure(found));
    this.#cleared.clear(found, verdict === 'no-loop');
    return undefined;
  }
}

/** What a detector can be wrong about. What was declared, counted or done by hand is a fact. */
const SUSPECTED_KINDS: readonly FindingKind[] = [
  'speaker-cycle',
  'repetition',
  'execution-storm',
  'history-drift',
  'nested-cascade',
];

/** Whether somebody is to be asked about a finding. @internal */
export function isSuspicion({ kind, isFact = false }: Finding): boolean {
  return !isFact && (SUSPECTED_KINDS.includes(kind) || kind.startsWith('custom:'));
}

/** The finding as it is once it is no longer in doubt. @internal */
export function asSure(found: Found): Found {
  return { ...found, finding: { ...found.finding, level: 'trip' } };
}

function newQuestion(): Question {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
