import type { SpendTracker } from '../budget/spend-tracker.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { Trip } from '../circuit/trip.ts';
import { andThen, inBackground, type MaybePromise } from '../common/maybe-promise.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import { basisOf, type Finding, type FindingKind, type Found } from '../detection/finding.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';
import type { ConversationEvents } from '../events/breaker-events.ts';
import type { Tally } from '../events/counters.ts';
import type { Judge } from '../judge/judge.ts';
import { Ladder } from './ladder.ts';
import { chosenFor, openingBy, type ReactionOptions, reactionTo } from './reaction.ts';
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

/** What a step is refused with. */
interface RefusalOptions {
  readonly opens: boolean;
  readonly isStepOnly?: boolean | undefined;
}

/** Applies the configured reaction to findings: observe, tell the team, refuse a step, or open the circuit. */
export class FindingHandler {
  readonly #chosen: ReactionOptions;
  readonly #parts: FindingHandlerParts;
  readonly #warned: Set<FindingKind> = new Set();
  /** How far the team has come that is told first. */
  readonly ladder: Ladder = new Ladder();
  /** The opening that {@link FindingHandler.openOnce} applies. */
  #opening: Opening | undefined;
  #isGathering = false;

  /** `reaction` is checked. */
  constructor(reaction: ReactionOptions, parts: FindingHandlerParts) {
    this.#chosen = reaction;
    this.#parts = parts;
  }

  /** The kinds the team was warned of since its last progress. */
  get warned(): readonly FindingKind[] {
    return [...this.#warned];
  }

  /** Whether trips of a kind refuse steps. */
  stopsFor(kind: FindingKind): boolean {
    const chosen = chosenFor(kind, this.#chosen);
    return chosen === 'stop' || chosen === 'ladder';
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
   * Reacts to the finding that a step would lead to. Returns the trip that refuses it, unless the finding stops nobody. Unless it
   * `opens`, the circuit stays as it is; so it does for a step that is refused alone, and on the ladder, until its end.
   */
  refuse(found: Found, { opens, isStepOnly = false }: RefusalOptions): Trip | undefined {
    const { finding } = found;
    if (!this.stopsFor(finding.kind)) return undefined;
    const isClimbed = reactionTo(finding, this.#chosen) === 'ladder';
    if (isStepOnly || (isClimbed && !this.ladder.isOver(found)))
      return { ...this.tripOf(found), isStepOnly: true };
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
    const effect = this.#effectOf(found);
    if (effect === 'warn') {
      if (!isDue(finding)) this.#warned.add(finding.kind);
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

  /** Notes a signal: after something new, the team is warned again. */
  saw(analyzed: AnalyzedSignal): void {
    if (analyzed.staleness === 0 && this.#warned.size > 0) this.#warned.clear();
    this.ladder.saw(analyzed);
  }

  /** Allows new warnings of all kinds but `kinds`. */
  renewWarnings(kinds: readonly FindingKind[] = []): void {
    this.ladder.clear();
    if (this.#warned.size > 0) this.#warned.clear();
    for (const kind of kinds) this.#warned.add(kind);
  }

  /** A loop that continues after its trip is found again with every signal, and has no effect then. */
  #effectOf(found: Found): 'none' | 'warn' | 'stop' {
    const { finding } = found;
    let reaction = reactionTo(finding, this.#chosen);
    if (reaction === 'ladder') {
      const rung = this.ladder.climb(found);
      if (rung === 'tell') return 'warn';
      reaction = rung === 'stop' ? 'stop' : 'observe';
    }
    const isToldBefore = this.#warned.has(finding.kind) && !isDue(finding);
    if (reaction === 'warn') return isToldBefore ? 'none' : 'warn';
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

/** Whether a warning comes only when it is due: of a limit that comes nearer, the team is told each time. */
function isDue(finding: Finding): boolean {
  return finding.level === 'warn' && basisOf(finding) === 'declared';
}
