import {
  Breaker,
  type BreakerOptions,
  type Confirm,
  type Detector,
  type Finding,
  type MaybePromise,
  type Signal,
  type Trip,
} from '../../src/index.ts';
import { message } from './signals.ts';

/** Somebody who is asked, and answers when told to. */
export class Judge {
  readonly findings: Finding[] = [];
  readonly shown: (readonly Signal[])[] = [];
  #answer: ((isLoop: boolean) => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /** Asks and waits. */
  readonly confirm: Confirm = (finding, signals) => {
    this.findings.push(finding);
    this.shown.push(signals);
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#fail = reject;
    });
  };

  /** Answers the latest question, and lets everybody hear it. */
  async says(isLoop: boolean): Promise<void> {
    this.#answer?.(isLoop);
    await heard();
  }

  async fails(error: unknown): Promise<void> {
    this.#fail?.(error);
    await heard();
  }
}

/** Comes once all that waits for promises that are settled has gone on. */
export function heard(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Finds what is said: `trip` or `warn`, and from where on if a figure follows: `trip 3`. */
export function sayingDetector(kind: `custom:${string}` = 'custom:said', isFact = false): Detector {
  return {
    kind,
    observe({ signal, index }) {
      const text = 'text' in signal ? signal.text : undefined;
      const said = /^(trip|warn)(?: (\d+))?$/.exec(text ?? '');
      if (said === null) return undefined;
      const level = said[1] === 'trip' ? 'trip' : 'warn';
      const indices = [Number(said[2] ?? index), index];
      const evidence = { agents: [signal.agent], indices, count: 1, limit: 1 };
      return { level, kind, reason: `${signal.agent} said ${level}`, evidence, isFact };
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  };
}

interface Asked {
  readonly breaker: Breaker;
  readonly judge: Judge;
  readonly errors: readonly unknown[];
  say(text: string): Trip | undefined;
}

/** A breaker with somebody to ask, and what it tells of errors. */
export function asked(options: BreakerOptions = {}): Asked {
  const judge = new Judge();
  const errors: unknown[] = [];
  const detectors = [sayingDetector()];
  const breaker = new Breaker({ now: () => 7, detectors, confirm: judge.confirm, ...options });
  breaker.on('error', ({ during, error }) => errors.push([during, error]));
  const say = (text: string): Trip | undefined => breaker.observe(message('a', text));
  return { breaker, judge, say, errors };
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
