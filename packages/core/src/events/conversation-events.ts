import type { Cost } from '../budget/cost.ts';
import type { Trip } from '../circuit/trip.ts';
import type { JsonValue } from '../common/json.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Tenant } from '../signal/tenant.ts';
import { moment, recordAt } from '../state/codec.ts';
import type { BegunRun, BreakerEventMap, BreakerEvents } from './breaker-events.ts';
import type { Tally } from './counters.ts';

/** Counts what happens in one conversation, and tells listeners of it. */
export class ConversationEvents {
  /** The id of the conversation. */
  readonly conversation: string;
  readonly tally: Tally;
  readonly #all: BreakerEvents;
  readonly #tenant: Tenant;
  /** The run that begins with the next signal. */
  run: BegunRun | undefined;

  constructor(all: BreakerEvents, conversation: string, tenant: Tenant, tally: Tally) {
    this.#all = all;
    this.conversation = conversation;
    this.#tenant = tenant;
    this.tally = tally;
  }

  /** A run begins with the next signal. */
  begun(at?: number): void {
    this.run = at === undefined ? {} : { at };
  }

  /** A signal was observed. */
  observed(analyzed: AnalyzedSignal): void {
    const { index, signal, suspicion } = analyzed;
    this.tally.observed(analyzed);
    this.emit('signal', this.#inRun({ index, signal, suspicion: suspicion.score }));
    this.run = undefined;
  }

  /** A step was refused; `requestOf` gives what is shown of it. */
  refused(trip: Trip, requestOf: () => AdmissionRequest): void {
    this.tally.add('refusals');
    if (!this.has('refusal')) return;
    const { counters } = this.tally;
    this.emit('refusal', this.#inRun({ request: requestOf(), trip, counters }));
  }

  /** The circuit opened. */
  opened(trip: Trip): void {
    this.tally.add('trips');
    this.emit('trip', trip);
  }

  /** Money or tokens were spent; `costOf` gives all that the conversation has spent. */
  spent(index: number, agent: string, costOf: () => Cost): void {
    if (!this.has('spend')) return;
    this.emit('spend', { index, agent, cost: costOf(), counters: this.tally.counters });
  }

  emit<K extends keyof BreakerEventMap>(
    event: K,
    payload: Omit<BreakerEventMap[K], 'conversation'>,
  ): void {
    if (!this.has(event) && event !== 'error') return;
    const { conversation } = this;
    // A trip already names its conversation, and all listeners receive the same object.
    const whole = 'conversation' in payload ? payload : { ...payload, conversation };
    this.#all.emit(event, whole as BreakerEventMap[K], this.#tenant);
  }

  /** {@link BreakerEvents.has} */
  has(event: keyof BreakerEventMap): boolean {
    return this.#all.has(event, this.#tenant);
  }

  /** {@link BreakerEvents.pause} */
  pause(): void {
    this.#all.pause();
  }

  /** {@link BreakerEvents.resume} */
  resume(): void {
    this.#all.resume();
  }

  #inRun<T extends object>(payload: T): T & { readonly run?: BegunRun } {
    return this.run === undefined ? payload : { ...payload, run: this.run };
  }
}

/** Reads a run of a snapshot. @throws {@link InvalidSnapshotError} */
export function runIn(snapshot: JsonValue): BegunRun {
  const { at } = recordAt('run', snapshot);
  return at === undefined ? {} : { at: moment.read('run.at', at) };
}
