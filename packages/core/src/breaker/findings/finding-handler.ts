import type { SpendTracker } from '../../budget/spend-tracker.ts';
import { basisOf, type Finding, type FindingKind, type Found } from '../../finding.ts';
import type { Judge } from '../../judge/judge.ts';
import { andThen, inBackground, type MaybePromise } from '../../maybe-promise.ts';
import type { Disclosure } from '../../redact/disclosure.ts';
import type { Trip } from '../../trip.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { Tally } from '../counters.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';
import { checkReactions, openingBy, type ReactionOptions, reactionTo } from './reaction.ts';
import type { RecentSignals } from './recent-signals.ts';

/** The collaborators of a {@link FindingHandler}. */
export interface FindingHandlerParts {
  /** The id of the conversation. */
  readonly id: string;
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly disclosure: Disclosure;
  readonly recent: RecentSignals;
  readonly spend: SpendTracker;
  readonly tally: Tally;
  /** Confirms suspicions. */
  readonly judge: Judge;
}

/** How the circuit opens: for a cool-down or until a reset, and why. */
interface Opening {
  readonly type: 'trip' | 'stop';
  readonly trip: Trip;
}

/** Applies the configured reaction to findings: observe, warn once, or open the circuit. */
export class FindingHandler {
  readonly #chosen: ReactionOptions;
  readonly #parts: FindingHandlerParts;
  readonly #warned: Set<FindingKind> = new Set();
  /** The opening that {@link FindingHandler.openOnce} applies. */
  #opening: Opening | undefined;
  #isGathering = false;

  /** @throws {@link InvalidOptionError} */
  constructor(reaction: ReactionOptions = 'stop', parts: FindingHandlerParts) {
    this.#chosen = checkReactions(reaction);
    this.#parts = parts;
  }

  /** The kinds the team was warned of since its last progress. */
  get warned(): readonly FindingKind[] {
    return [...this.#warned];
  }

  /** Whether trips of a kind open the circuit. */
  stopsFor(kind: FindingKind): boolean {
    return reactionTo({ kind, level: 'trip' }, this.#chosen) === 'stop';
  }

  /** Emits a finding and applies the reaction. Returns the trip if that opened the circuit. */
  react({ finding: raw, index, at }: Found): Trip | undefined {
    const { events, judge, disclosure } = this.#parts;
    events.hold();
    try {
      const finding = disclosure.finding(raw);
      const found = { finding, index, at };
      events.emit('finding', { index, finding });
      return judge.hasToConfirm(found) ? undefined : this.act(found);
    } finally {
      events.release();
    }
  }

  /** Collects openings until {@link FindingHandler.openOnce}. */
  gather(): void {
    this.#isGathering = true;
  }

  /** Applies one of the collected openings: the first that lasts until a reset, or else the first. */
  openOnce(): Trip | undefined {
    this.#isGathering = false;
    const opening = this.#opening;
    this.#opening = undefined;
    return opening && this.#open(opening);
  }

  /** Emits a finding as a warning that is not shown to the team. */
  tell({ finding: raw, index }: Found): void {
    const finding = this.#parts.disclosure.finding({ ...raw, level: 'warn' });
    this.#parts.events.emit('finding', { index, finding });
  }

  /** Reacts to a finding once the store has answered. An error of the store is emitted. */
  reactTo(
    answer: MaybePromise<Finding | undefined>,
    index: number,
    at: number,
  ): MaybePromise<Trip | undefined> {
    return andThen(
      answer,
      (finding) => finding && this.react({ finding, index, at }),
      (error) => this.#storeFailed(error),
    );
  }

  /** The same where nobody waits for it. */
  reactLater(answer: MaybePromise<Finding | undefined>, index: number, at: number): void {
    inBackground(this.reactTo(answer, index, at), (error) => this.#storeFailed(error));
  }

  /**
   * Reacts to the finding that a step would lead to. Returns the trip that refuses it, if the reaction is `stop`. Unless it
   * `opens`, the circuit stays as it is.
   */
  refuse(found: Found, { opens = true }: { readonly opens?: boolean } = {}): Trip | undefined {
    if (!this.stopsFor(found.finding.kind)) return undefined;
    if (opens) return this.react(found) ?? this.#parts.circuit.trip;
    return this.tripOf(found);
  }

  /** The trip that a finding gives a step which is refused, while the circuit stays as it is. */
  tripOf(found: Found): Trip {
    return this.#tripOf({ ...found, finding: this.#parts.disclosure.finding(found.finding) });
  }

  /** Applies the reaction to a finding that needs no confirmation. */
  act(found: Found): Trip | undefined {
    const { index, finding } = found;
    const { events } = this.#parts;
    const effect = this.#effectOf(finding);
    if (effect === 'warn') {
      this.#warned.add(finding.kind);
      events.emit('warn', { index, finding });
    }
    if (effect !== 'stop') return undefined;
    return this.#open({ type: openingBy(finding), trip: this.#tripOf(found) });
  }

  /** Stops the conversation by hand. Returns the trip of the circuit. */
  stop(reason: string, index: number, at: number): Trip {
    const { events, circuit } = this.#parts;
    const trip = this.tripByHand(reason, index, at);
    events.hold();
    try {
      this.#open({ type: 'stop', trip });
      return circuit.trip ?? trip;
    } finally {
      events.release();
    }
  }

  /** The trip of a stop by hand. */
  tripByHand(reason: string, index: number, at: number): Trip {
    const said = this.#parts.disclosure.reason(reason);
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding = { level: 'trip', kind: 'manual', basis: 'declared', reason: said } as const;
    return this.#tripOf({ finding: { ...finding, evidence }, index, at });
  }

  #storeFailed(error: unknown): undefined {
    this.#parts.events.emit('error', { error, during: 'store' });
  }

  /** Opens the circuit unless it is open, or collects the opening. */
  #open(opening: Opening): Trip | undefined {
    if (this.#isGathering) {
      const isLasting = opening.type === 'stop' && this.#opening?.type === 'trip';
      if (this.#opening === undefined || isLasting) this.#opening = opening;
      return undefined;
    }
    const { events, circuit, tally } = this.#parts;
    const { trip } = opening;
    events.hold();
    try {
      if (!circuit.apply(opening, trip.at)) return undefined;
      tally.add('trips');
      events.emit('trip', trip);
      return trip;
    } finally {
      events.release();
    }
  }

  /** Allows new warnings of all kinds but `kinds`. */
  renewWarnings(kinds: readonly FindingKind[] = []): void {
    if (this.#warned.size > 0) this.#warned.clear();
    for (const kind of kinds) this.#warned.add(kind);
  }

  /** A loop that continues after its trip is found again with every signal, and has no effect then. */
  #effectOf(finding: Finding): 'none' | 'warn' | 'stop' {
    const reaction = reactionTo(finding, this.#chosen);
    if (reaction === 'warn') return this.#warned.has(finding.kind) ? 'none' : 'warn';
    return reaction === 'stop' && this.#parts.circuit.heeds(openingBy(finding)) ? 'stop' : 'none';
  }

  /** A finding as a trip: its signals quoted, and their cost. */
  #tripOf({ finding, index, at }: Found): Trip {
    const { id, recent, spend } = this.#parts;
    const { kind, reason, evidence } = finding;
    return {
      kind,
      basis: basisOf(finding),
      conversation: id,
      reason,
      at,
      index,
      agents: evidence.agents,
      evidence: {
        ...evidence,
        signals: recent.quote(evidence.indices),
        cost: spend.history.since(evidence.indices[0] ?? index),
      },
    };
  }
}
