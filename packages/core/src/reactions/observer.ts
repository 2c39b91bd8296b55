import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { Trip } from '../circuit/trip.ts';
import type { Detection } from '../detection/detection.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';
import type { Tally } from '../events/counters.ts';
import type { Judge } from '../judge/judge.ts';
import type { Signal } from '../signal/signal.ts';
import type { Books } from './books.ts';
import type { FindingHandler } from './finding-handler.ts';
import type { RecentSignals } from './recent-signals.ts';

/** The collaborators of an {@link Observer}. */
export interface ObserverParts {
  readonly events: ConversationEvents;
  readonly detection: Detection;
  readonly recent: RecentSignals;
  readonly tally: Tally;
  readonly judge: Judge;
  readonly handler: FindingHandler;
  readonly books: Books;
  readonly circuit: CircuitController;
}

/** Takes in signal after signal, reacts to what the detectors find, and has its cost booked. */
export class Observer {
  readonly #parts: ObserverParts;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** Takes in a signal. Returns the trip if it opened the circuit. */
  take(signal: Signal): Trip | undefined {
    const { events, detection, recent, tally, judge, handler, books } = this.#parts;
    const analyzed = detection.read(signal);
    const { index, suspicion } = analyzed;
    recent.remember(index, signal);
    judge.remember(analyzed);
    tally.observed(analyzed);
    events.emit('signal', { index, signal, suspicion: suspicion.score });
    handler.saw(analyzed);
    // A trip has the cost of the signal that led to it.
    const said = books.book(analyzed);
    handler.gather();
    let trip: Trip | undefined;
    try {
      for (const finding of detection.findings(analyzed)) {
        handler.react({ finding, index, at: signal.at });
      }
      books.react(said, analyzed);
    } finally {
      trip = handler.openOnce();
    }
    if (trip === undefined && analyzed.isProgress) this.#progress(signal);
    return trip;
  }

  /** Asks the judge if a question is due. With an open circuit, its answer would change nothing. */
  askJudge(): Trip | undefined {
    const { circuit, judge } = this.#parts;
    return circuit.heeds('trip') ? judge.ask() : undefined;
  }

  /** The detectors start afresh; the limits keep counting. */
  startAfresh(): void {
    this.#parts.detection.startAfresh();
    this.#parts.handler.renewWarnings();
  }

  /** A probe that makes progress closes the circuit. */
  #progress(signal: Signal): void {
    if (this.#parts.circuit.progress(signal)) this.startAfresh();
  }
}
