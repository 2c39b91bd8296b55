import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { Trip } from '../circuit/trip.ts';
import { andThen, inBackground, type MaybePromise } from '../common/maybe-promise.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import { basisOf, type Finding, type FindingKind, type Found } from '../detection/finding.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';
import type { FindingEffect } from '../events/breaker-events.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { Judge } from '../judge/judge.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Signal, UsageSignal } from '../signal/signal.ts';
import { Ladder } from './ladder.ts';
import { openingBy, type ReactionOptions, reactionTo, stopsFor } from './reaction.ts';
import type { Trips } from './trips.ts';

/** The collaborators of {@link Reactions}. */
interface ReactionsParts {
  readonly events: ConversationEvents;
  readonly circuit: CircuitController;
  readonly disclosure: Disclosure;
  readonly trips: Trips;
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
export class Reactions {
  readonly #chosen: ReactionOptions;
  readonly #parts: ReactionsParts;
  readonly #warned: Set<FindingKind> = new Set();
  /** How far the team has come that is told first. */
  readonly ladder: Ladder = new Ladder();
  /** The opening that {@link Reactions.openingOnce} applies. */
  #opening: Opening | undefined;
  #isGathering = false;
  #isToldOfLoop = false;

  /** `reaction` is checked. */
  constructor(reaction: ReactionOptions, parts: ReactionsParts) {
    this.#chosen = reaction;
    this.#parts = parts;
  }

  /** The kinds the team was warned of since its last progress. */
  get warned(): readonly FindingKind[] {
    return [...this.#warned];
  }

  /** Whether the team was told that it goes in circles, in this run and since a person last spoke. */
  get isToldOfLoop(): boolean {
    return this.#isToldOfLoop;
  }

  /** Whether trips of a kind refuse steps. */
  stopsFor(kind: FindingKind): boolean {
    return stopsFor(kind, this.#chosen);
  }

  /** Applies the reaction to a finding, once the judge has confirmed it if it has to. Returns the trip if that opened the circuit. */
  react({ finding: raw, index, at }: Found): Trip | undefined {
    const { judge, disclosure } = this.#parts;
    const found = { finding: disclosure.finding(raw), index, at };
    if (!judge.holdBack(found)) return this.act(found);
    this.#emit(found, 'ask');
    return undefined;
  }

  /** Opens the circuit at most once for all that `work` finds: for the first that lasts until a reset, or else the first. */
  openingOnce(work: () => void): Trip | undefined {
    this.#isGathering = true;
    let trip: Trip | undefined;
    try {
      work();
    } finally {
      this.#isGathering = false;
      const opening = this.#opening;
      this.#opening = undefined;
      trip = opening && this.#open(opening);
    }
    return trip;
  }

  /** Emits a finding as a warning that is not shown to the team. */
  note({ finding, ...found }: Found): void {
    const shown = this.#parts.disclosure.finding({ ...finding, level: 'warn' });
    this.#emit({ ...found, finding: shown }, 'none');
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
   * Reacts to the finding that a step would lead to. Returns the trip that refuses it, unless the finding stops nobody. The circuit
   * opens with `opens` alone, not for a step that is refused alone, and on the ladder only at its end.
   */
  refuse(found: Found, { opens, isStepOnly = false }: RefusalOptions): Trip | undefined {
    const { finding } = found;
    if (!this.stopsFor(finding.kind)) return undefined;
    const isClimbed = reactionTo(finding, this.#chosen) === 'ladder';
    if (isStepOnly || (isClimbed && !this.ladder.wouldStop(found)))
      return { ...this.tripOf(found), isStepOnly: true };
    if (opens) return this.react(found) ?? this.#parts.circuit.trip;
    return this.tripOf(found);
  }

  /** Counts a step that was refused, and tells of it. */
  refused(request: AdmissionRequest, trip: Trip): void {
    const { events, disclosure } = this.#parts;
    events.refused(trip, () => disclosure.signal(request));
  }

  /** The trip that a finding gives a step which is refused, while the circuit stays as it is. */
  tripOf(found: Found): Trip {
    const { trips, disclosure } = this.#parts;
    return trips.of({ ...found, finding: disclosure.finding(found.finding) });
  }

  /** Applies the reaction to a finding that needs no confirmation. */
  act(found: Found): Trip | undefined {
    const { finding } = found;
    const { events, trips } = this.#parts;
    events.pause();
    try {
      const effect = this.#effectOf(found);
      if (effect === 'warn') this.#told(finding);
      this.#emit(found, effect);
      if (effect !== 'stop') return undefined;
      return this.#open({ type: openingBy(finding), trip: trips.of(found) });
    } finally {
      events.resume();
    }
  }

  /** Stops the conversation by hand. Returns the trip of the circuit. */
  stop(reason: string, index: number, at: number): Trip {
    const { events, circuit, trips } = this.#parts;
    const trip = trips.byHand(reason, index, at);
    events.pause();
    try {
      this.#open({ type: 'stop', trip });
      return circuit.trip ?? trip;
    } finally {
      events.resume();
    }
  }

  /** Asks the judge if a question is due. With an open circuit, its answer would change nothing. */
  askJudge(): Trip | undefined {
    const { circuit, judge } = this.#parts;
    return circuit.wouldOpen('trip') ? judge.ask() : undefined;
  }

  #told(finding: Finding): void {
    if (!isLimitNear(finding)) this.#warned.add(finding.kind);
    if (basisOf(finding) !== 'declared') this.#isToldOfLoop = true;
  }

  #emit({ index, finding }: Found, effect: FindingEffect): void {
    this.#parts.events.emit('finding', { index, finding, effect });
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
    const { events, circuit } = this.#parts;
    const { trip } = opening;
    events.pause();
    try {
      if (!circuit.apply(opening, trip.at)) return undefined;
      events.opened(trip);
      return trip;
    } finally {
      events.resume();
    }
  }

  /** A signal by which a probe makes progress closes the circuit. Returns whether it did. */
  progress(signal: Signal): boolean {
    return this.#parts.circuit.progress(signal);
  }

  /** A model call that was answered closes a circuit that model calls have opened. */
  answered(signal: UsageSignal): void {
    this.#parts.circuit.answered(signal);
  }

  /** Notes a signal: after something new, the team is warned again. */
  saw(analyzed: AnalyzedSignal): void {
    if (analyzed.staleness === 0 && this.#warned.size > 0) this.#warned.clear();
    if (analyzed.isPerson) this.#isToldOfLoop = false;
    this.ladder.saw(analyzed);
  }

  /** A run begins, whose task may have nothing to do with what the team was told in the one before. */
  beginRun(): void {
    this.#isToldOfLoop = false;
  }

  /** Allows new warnings of all kinds but `kinds`. */
  renewWarnings(kinds: readonly FindingKind[] = []): void {
    this.ladder.clear();
    this.#isToldOfLoop = false;
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
    const isToldBefore = this.#warned.has(finding.kind) && !isLimitNear(finding);
    if (reaction === 'warn') return isToldBefore ? 'none' : 'warn';
    return reaction === 'stop' && this.#parts.circuit.wouldOpen(openingBy(finding))
      ? 'stop'
      : 'none';
  }
}

/** Whether it says that a limit comes nearer. The team is warned of that each time. */
function isLimitNear(finding: Finding): boolean {
  return finding.level === 'warn' && basisOf(finding) === 'declared';
}
