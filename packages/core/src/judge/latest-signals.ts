import type { Disclosure } from '../redact/disclosure.ts';
import type { Signal } from '../signal/signal.ts';

const CAPACITY = 40;
const MAX_TASK = 2000;
/** So much of a task is looked at: a secret must not stay because its end was cut off. */
const READ_TASK = 4 * MAX_TASK;

/** The task of a conversation and its latest signals, for a judge. @internal */
export class LatestSignals {
  readonly #disclosure: Disclosure;
  #signals: (readonly [number, Signal])[] = [];
  #task = '';
  #isTaskOfPerson = false;

  constructor(disclosure: Disclosure) {
    this.#disclosure = disclosure;
  }

  /** The latest indices, oldest first. */
  get indices(): readonly number[] {
    return this.#signals.map(([index]) => index);
  }

  get task(): string {
    return this.#task;
  }

  set task(text: string) {
    this.#task = this.#disclosure.redacted(text.slice(0, READ_TASK)).slice(0, MAX_TASK);
  }

  remember(index: number, signal: Signal): void {
    if (this.#signals.push([index, signal]) > CAPACITY) this.#signals.shift();
    if (signal.kind !== 'human-input' && signal.kind !== 'message') return;
    const isByPerson = signal.kind === 'human-input';
    if (!signal.text || this.#isTaskOfPerson || (this.#task !== '' && !isByPerson)) return;
    this.task = signal.text;
    this.#isTaskOfPerson = isByPerson;
  }

  /** Copies of the signals without secrets: whatever they carry besides their own fields is left out. */
  copy(): readonly Signal[] {
    return this.#signals.map(([, signal]) => this.#disclosure.signal(signal));
  }

  reset(): void {
    this.#signals = [];
    this.#task = '';
    this.#isTaskOfPerson = false;
  }
}
