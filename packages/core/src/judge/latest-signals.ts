import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';
import type { Signal } from '../signal/signal.ts';

const CAPACITY = 40;
/** About the most tokens of a step that a judge is shown, and those of the question itself. */
const PER_STEP = 150;
const FRAME = 200;
const MAX_TASK = 2000;
/** More than is kept, since a cut-off secret would not be recognized. */
const READ_TASK = 4 * MAX_TASK;

/** The task of a conversation and its latest signals, for a judge. */
export class LatestSignals {
  readonly #disclosure: Disclosure;
  #steps: Pick<AnalyzedSignal, 'index' | 'signal' | 'tokens'>[] = [];
  #task = '';
  #isTaskOfPerson = false;

  constructor(disclosure: Disclosure) {
    this.#disclosure = disclosure;
  }

  /** Oldest first. */
  get indices(): readonly number[] {
    return this.#steps.map(({ index }) => index);
  }

  /** About how many tokens a question about them takes. */
  get tokens(): number {
    return this.#steps.reduce((sum, { tokens }) => sum + Math.min(tokens, PER_STEP), FRAME);
  }

  get task(): string {
    return this.#task;
  }

  set task(text: string) {
    this.#task = this.#disclosure.redacted(text.slice(0, READ_TASK)).slice(0, MAX_TASK);
  }

  remember({ index, signal, tokens }: AnalyzedSignal): void {
    if (this.#steps.push({ index, signal, tokens }) > CAPACITY) this.#steps.shift();
    if (signal.kind !== 'human-input' && signal.kind !== 'message') return;
    const isByPerson = signal.kind === 'human-input';
    if (!signal.text || this.#isTaskOfPerson || (this.#task !== '' && !isByPerson)) return;
    this.task = signal.text;
    this.#isTaskOfPerson = isByPerson;
  }

  /** Copies of the signals without secrets and unknown fields. */
  copy(): readonly Signal[] {
    return this.#steps.map(({ signal }) => this.#disclosure.signal(signal));
  }

  reset(): void {
    this.#steps = [];
    this.#task = '';
    this.#isTaskOfPerson = false;
  }
}
