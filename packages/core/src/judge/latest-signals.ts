import type { Disclosure } from '../redact/disclosure.ts';
import type { Signal } from '../signal/signal.ts';

const CAPACITY = 40;
const MAX_TASK = 2000;
/** More than is kept, since a cut-off secret would not be recognized. */
const READ_TASK = 4 * MAX_TASK;

/** The task of a conversation and its latest signals, for a judge. */
export class LatestSignals {
  readonly #disclosure: Disclosure;
  #signals: (readonly [number, Signal])[] = [];
  #task = '';
  #isTaskOfPerson = false;

  constructor(disclosure: Disclosure) {
    this.#disclosure = disclosure;
  }

  /** Oldest first. */
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

  /** Copies of the signals without secrets and unknown fields. */
  copy(): readonly Signal[] {
    return this.#signals.map(([, signal]) => this.#disclosure.signal(signal));
  }

  reset(): void {
    this.#signals = [];
    this.#task = '';
    this.#isTaskOfPerson = false;
  }
}
