import type { Finding, FindingKind, Found } from '../finding.ts';
import type { Judge } from '../judge/judge.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Trip } from '../trip.ts';
import type { BreakerEvents } from './breaker-events.ts';
import type { Gate } from './gate.ts';
import { checkReactions, openingBy, type ReactionOptions, reactionTo } from './reaction.ts';

/** What a {@link Reactor} works with. @internal */
export interface ReactorParts {
  readonly events: BreakerEvents;
  readonly gate: Gate;
  readonly tripOf: (found: Found) => Trip;
  /** Confirms what is only suspected, if there is one. */
  readonly judge: Judge | undefined;
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
    const { events, judge } = this.#parts;
    return events.holding(() => {
      const { index, finding } = found;
      events.emit('finding', { index, finding });
      return judge?.hasToConfirm(found) ? undefined : this.act(found);
    });
  }

  /** Reacts to what a store has found once it answers, and tells when it fails. */
  reactTo(
    answer: MaybePromise<Finding | undefined>,
    index: number,
    at: number,
  ): MaybePromise<Trip | undefined> {
    return andThen(
      answer,
      (finding) => finding && this.react({ finding, index, at }),
      (error) => {
        this.#parts.events.emit('error', { error, during: 'store' });
        return undefined;
      },
    );
  }

  /** Does what was chosen for a finding that is not to be doubted. */
  act(found: Found): Trip | undefined {
    const { index, finding } = found;
    const { events, tripOf } = this.#parts;
    return events.holding(() => {
      const effect = this.#effectOf(finding);
      if (effect === 'warn') {
        this.#warned.add(finding.kind);
        events.emit('warn', { index, finding });
      }
      return effect === 'stop' ? this.open(openingBy(finding), tripOf(found)) : undefined;
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
    if (this.#warned.size > 0) this.#warned.clear();
    for (const kind of kinds) this.#warned.add(kind);
  }

  /** What would come of a finding now: a loop that runs on after its trip is found again with every signal. */
  #effectOf(finding: Finding): 'none' | 'warn' | 'stop' {
    const reaction = reactionTo(finding, this.#chosen);
    if (reaction === 'warn') return this.#warned.has(finding.kind) ? 'none' : 'warn';
    return reaction === 'stop' && this.#parts.gate.heeds(openingBy(finding)) ? 'stop' : 'none';
  }
}
