import type { Signal } from '../signal/signal.ts';
import { toJson } from '../to-json.ts';

const CAPACITY = 40;
const MAX_TASK = 2000;

/** The task of a conversation and its latest signals, for a judge. @internal */
export class LatestSignals {
  #signals: (readonly [number, Signal])[] = [];
  #task = '';
  #isTaskOfPerson = false;

  /** The latest indices, oldest first. */
  get indices(): readonly number[] {
    return this.#signals.map(([index]) => index);
  }

  get task(): string {
    return this.#task;
  }

  set task(text: string) {
    this.#task = text.slice(0, MAX_TASK);
  }

  remember(index: number, signal: Signal): void {
    if (this.#signals.push([index, signal]) > CAPACITY) this.#signals.shift();
    if (signal.kind !== 'human-input' && signal.kind !== 'message') return;
    const isByPerson = signal.kind === 'human-input';
    if (!signal.text || this.#isTaskOfPerson || (this.#task !== '' && !isByPerson)) return;
    this.task = signal.text;
    this.#isTaskOfPerson = isByPerson;
  }

  /** Copies of the signals: whatever they carry besides their own fields is left out. */
  copy(): readonly Signal[] {
    return this.#signals.map(([, signal]) => toJson(signal) as unknown as Signal);
  }

  reset(): void {
    this.#signals = [];
    this.#task = '';
    this.#isTaskOfPerson = false;
  }
}
