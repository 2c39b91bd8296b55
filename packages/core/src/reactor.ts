import type { BreakerEvents } from './breaker-events.ts';
import type { Finding, FindingKind } from './finding.ts';
import type { Gate } from './gate.ts';
import { checkReactions, openingBy, type ReactionOptions, reactionTo } from './reaction.ts';
import type { Trip } from './trip.ts';

/** A finding with its place in the conversation. @internal */
export interface Found {
  readonly finding: Finding;
  /** Of the signal that it was found with, or of the next one if a request was refused. */
  readonly index: number;
  readonly at: number;
}

/** What a {@link Reactor} works with. @internal */
export interface ReactorParts {
  readonly events: BreakerEvents;
  readonly gate: Gate;
  readonly tripOf: (found: Found) => Trip;
}

/** Does what the user chose for findings: tells listeners, warns the team once, opens the circuit. @internal */
export class Reactor {
  readonly #chosen: ReactionOptions;
  readonly #parts: ReactorParts;
  readonly #warned: Set<FindingKind> = new Set();

  /** @throws {@link InvalidOptionError} */
  constructor(reaction: ReactionOptions, parts: ReactorParts) {
    this.#chosen = checkReactions(reaction);
    this.#parts = parts;
  }

  /** The kinds that the team was warned of and has not got over yet. */
  get warned(): readonly FindingKind[] {
    return [...this.#warned];
  }

  /** Tells a finding and does what was chosen for it; gives the trip back if that opened the circuit. */
  react(found: Found): Trip | undefined {
    const { events } = this.#parts;
    return events.holding(() => {
      const { index, finding } = found;
      events.emit('finding', { index, finding });
      return this.#act(found);
    });
  }

  /** Opens the circuit unless it is open already. */
  open(type: 'trip' | 'stop', trip: Trip): Trip | undefined {
    if (!this.#parts.gate.apply({ type, trip }, trip.at)) return undefined;
    this.#parts.events.emit('trip', trip);
    return trip;
  }

  /** Lets the team be warned afresh, but of `kinds`. */
  renewWarnings(kinds: readonly FindingKind[] = []): void {
    this.#warned.clear();
    for (const kind of kinds) this.#warned.add(kind);
  }

  #act(found: Found): Trip | undefined {
    const { index, finding } = found;
    const { events, gate, tripOf } = this.#parts;
    const reaction = reactionTo(finding, this.#chosen);
    if (reaction === 'warn' && !this.#warned.has(finding.kind)) {
      this.#warned.add(finding.kind);
      events.emit('warn', { index, finding });
    }
    const type = openingBy(finding);
    // Quoting takes time, and a loop that runs on after its trip is found again with every signal.
    if (reaction !== 'stop' || !gate.heeds(type)) return undefined;
    return this.open(type, tripOf(found));
  }
}
