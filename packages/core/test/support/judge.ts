import type { Basis, Detector } from '../../src/detectors.ts';
import { Breaker, type BreakerOptions, type Confirm, type Trip } from '../../src/index.ts';
import type { Confirmation, JudgeOptions, MaybePromise, Question } from '../../src/kit.ts';
import { message } from './signals.ts';
import { staleText } from './stale.ts';

/** A judge that answers when told to. */
class PatientJudge {
  readonly questions: Question[] = [];
  #answer: ((answer: Awaited<ReturnType<Confirm>>) => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  readonly confirm: Confirm = (question) => {
    this.questions.push(question);
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
  };

  /** Answers the latest question, and lets everybody hear it. */
  async says(answer: boolean | number | Confirmation): Promise<void> {
    this.#answer?.(answer);
    await heard();
  }

  async fails(error: unknown): Promise<void> {
    this.#fail?.(error);
    await heard();
  }
}

/** Resolves once all that waits for settled promises has gone on. */
export function heard(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Trips on messages that say `trip`: suspected only, or certain. */
export function sayingDetector(basis: Basis = 'suspected'): Detector {
  const kind = 'custom:said';
  return {
    kind,
    observe({ signal, index }) {
      if (signal.kind !== 'message' || signal.text !== 'trip') return undefined;
      const evidence = { agents: [signal.agent], indices: [index], count: 1, limit: 1 };
      return { level: 'trip', kind, reason: `${signal.agent} said trip`, evidence, basis };
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  };
}

interface Judged {
  readonly breaker: Breaker;
  readonly judge: PatientJudge;
  readonly errors: readonly unknown[];
  say(text: string): Trip | undefined;
  /** Says what is stale until a question is asked. */
  stall(): void;
}

/** A breaker with a judge, and what it tells of errors. */
export function judged(options: BreakerOptions = {}, judging: Partial<JudgeOptions> = {}): Judged {
  const judge = new PatientJudge();
  const errors: unknown[] = [];
  const breaker = new Breaker({
    now: () => 7,
    judge: { confirm: judge.confirm, ...judging },
    detectors: [() => sayingDetector()],
    ...options,
  });
  breaker.on('error', ({ during, error }) => errors.push([during, error]));
  let steps = 0;
  const say = (text: string): Trip | undefined =>
    breaker.observe(message('ab'.charAt(steps++ % 2), text));
  const stall = (): void => {
    const before = judge.questions.length;
    for (let i = 0; i < 40 && judge.questions.length === before; i++) say(staleText(steps));
  };
  return { breaker, judge, say, stall, errors };
}

/** Whether something has come by now. */
export async function isThere(value: MaybePromise<unknown>): Promise<boolean> {
  let isOver = false;
  Promise.resolve(value).then(() => {
    isOver = true;
  });
  await heard();
  return isOver;
}
