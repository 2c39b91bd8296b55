import type { Trip } from '../circuit/trip.ts';
import type { Detection } from '../detection/detection.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { Judge } from '../judge/judge.ts';
import type { Signal } from '../signal/signal.ts';
import type { Bookkeeper } from './bookkeeper.ts';
import type { Reactions } from './reactions.ts';
import type { Trips } from './trips.ts';

/** The collaborators of an {@link Observer}. */
interface ObserverParts {
  readonly events: ConversationEvents;
  readonly detection: Detection;
  readonly trips: Trips;
  readonly judge: Judge;
  readonly reactions: Reactions;
  readonly bookkeeper: Bookkeeper;
}

/** Takes in signal after signal, reacts to what the detectors find, and has its cost booked. */
export class Observer {
  readonly #parts: ObserverParts;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** Takes in a signal, before any listener hears of it. Returns the trip if it opened the circuit. */
  take(signal: Signal): Trip | undefined {
    const { events, detection, trips, judge, reactions, bookkeeper } = this.#parts;
    events.pause();
    try {
      const analyzed = detection.read(signal);
      const { index } = analyzed;
      trips.remember(index, signal);
      judge.remember(analyzed);
      events.observed(analyzed);
      reactions.saw(analyzed);
      // A trip has the cost of the signal that led to it.
      const said = bookkeeper.book(analyzed);
      const trip = reactions.openingOnce(() => {
        for (const finding of detection.findings(analyzed)) {
          reactions.react({ finding, index, at: signal.at });
        }
        bookkeeper.react(said, analyzed);
      });
      if (trip !== undefined) return trip;
      if (analyzed.isProgress && reactions.progress(signal)) this.startAfresh();
      if (signal.kind === 'usage') reactions.answered(signal);
      return undefined;
    } finally {
      events.resume();
    }
  }

  /** The detectors start afresh; the limits keep counting. */
  startAfresh(): void {
    this.#parts.detection.startAfresh();
    this.#parts.reactions.renewWarnings();
  }
}
