import { Admissions } from '../admission/admissions.ts';
import { createStages } from '../admission/create-stages.ts';
import { RunClock } from '../admission/run-clock.ts';
import { StepsUnderWay } from '../admission/stages.ts';
import type { ContextWindow } from '../budget/context-window.ts';
import { periodIn } from '../budget/periods.ts';
import type { Pricing } from '../budget/pricing.ts';
import type { SharedSpend } from '../budget/shared-spend.ts';
import { SpendTracker } from '../budget/spend-tracker.ts';
import type { CircuitState } from '../circuit/circuit.ts';
import { CircuitController, type CircuitHooks } from '../circuit/circuit-controller.ts';
import type { SharedCircuits } from '../circuit/circuit-sharing.ts';
import type { Trip } from '../circuit/trip.ts';
import type { WrapUpOptions } from '../circuit/wrap-up.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import { Detection } from '../detection/detection.ts';
import type { Finding } from '../detection/finding.ts';
import { Disclosure } from '../disclosure/disclosure.ts';
import type { BreakerEvents } from '../events/breaker-events.ts';
import { ConversationEvents, runIn } from '../events/conversation-events.ts';
import { Tally } from '../events/counters.ts';
import { Judge } from '../judge/judge.ts';
import { type Judges, TenantJudges } from '../judge/judges.ts';
import { Bookkeeper } from '../reactions/bookkeeper.ts';
import { Observer } from '../reactions/observer.ts';
import { chosenFor, type ReactionOptions } from '../reactions/reaction.ts';
import { Reactions } from '../reactions/reactions.ts';
import { Trips } from '../reactions/trips.ts';
import { Tenant } from '../signal/tenant.ts';
import { CallSlots } from '../throttle/slots.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { BreakerOptions } from './breaker-options.ts';
import {
  type ConversationSnapshot,
  checkConversation,
  type TenantStop,
} from './breaker-snapshot.ts';

/** What all conversations of a breaker share. */
export interface Shared {
  readonly options: BreakerOptions;
  readonly settings: ConversationSettings;
  readonly now: () => number;
  readonly events: BreakerEvents;
  readonly spend: SharedSpend;
  readonly tally: Tally;
  readonly judges: Judges;
  readonly pricing: Pricing;
  readonly window: ContextWindow | undefined;
  readonly throttle: Throttle;
  /** Those that other processes go by, too. */
  readonly circuits: SharedCircuits | undefined;
  /** Whether it is told that the usage of some call cannot be read. */
  readonly unread: { isTold: boolean };
}

/** Options of conversations, checked and with their defaults. */
export interface ConversationSettings {
  readonly reaction: ReactionOptions;
  readonly wrapUp: WrapUpOptions | undefined;
  readonly cooldownMs: number;
  readonly maxIdenticalInFlight: number;
  /** How often an answer may repeat itself before it is cut off; `undefined` if it may as often as it likes. */
  readonly streamLimit: number | undefined;
}

/** The collaborators of a conversation. */
export interface ConversationParts {
  readonly now: () => number;
  readonly events: ConversationEvents;
  readonly spend: SpendTracker;
  readonly disclosure: Disclosure;
  readonly trips: Trips;
  readonly circuit: CircuitController;
  readonly judge: Judge;
  readonly reactions: Reactions;
  readonly detection: Detection;
  readonly bookkeeper: Bookkeeper;
  readonly observer: Observer;
  readonly underWay: StepsUnderWay;
  readonly admissions: Admissions;
  readonly clock: RunClock;
}

/**
 * Puts a conversation together. `idle` is called when the last of its steps that were under way has ended.
 * @throws {@link InvalidOptionError} for options of the detectors, which each conversation has of its own.
 */
export function createParts(id: string, shared: Shared, idle: () => void): ConversationParts {
  const { options, settings, now, pricing, throttle } = shared;
  const { timers } = options;
  const { reaction, maxIdenticalInFlight } = settings;
  const tenant = Tenant.of(id);
  const events = new ConversationEvents(shared.events, id, tenant, new Tally(shared.tally));
  const spend = new SpendTracker(shared.spend, pricing, id, shared.window);
  const disclosure = new Disclosure(options, (error) => {
    events.emit('error', { error, during: 'redact' });
  });
  const detection = new Detection(options, {
    nameOf: (tool) => disclosure.name(tool),
    report: (error) => events.emit('error', { error, during: 'detector' }),
    isToldFirst: (kind) => chosenFor(kind, reaction) === 'ladder',
  });
  const trips = new Trips(id, disclosure, spend.history);
  const circuits = shared.circuits?.isShared(id) ? shared.circuits : undefined;
  const tell: CircuitHooks['tell'] = circuits && ((event, from) => circuits.tell(id, event, from));
  const changed: CircuitHooks['changed'] = (from, to) => circuitChanged(parts, from, to);
  const isOver: CircuitHooks['isOver'] = ({ kind, evidence }) =>
    kind === 'budget' && spend.budget.ledger.isOver(evidence);
  const circuit = new CircuitController(settings, now, events, { changed, tell, isOver });
  const judge = new Judge(new TenantJudges(shared.judges, tenant), {
    events,
    now,
    timers,
    disclosure,
    mayAsk: () => bookkeeper.mayAskJudge(),
    affords: (share, tokens) => spend.affordsJudge(share, tokens),
    act: (found) => reactions.act(found),
    book: (usage) => bookkeeper.bookJudge(usage, detection.nextIndex, now()),
  });
  const common = { events, circuit, disclosure, judge, spend, trips, detection };
  const reactions = new Reactions(reaction, common);
  const slots = new CallSlots();
  const bookkeeper = new Bookkeeper({ events, reactions, spend, slots });
  const observer = new Observer({ ...common, reactions, bookkeeper });
  const underWay = new StepsUnderWay(idle);
  const asked = { ...common, id, maxIdenticalInFlight, reactions, observer, slots, throttle };
  const stages = createStages(asked, underWay, circuits);
  const admissions = new Admissions({ ...common, reactions, stages, now });
  const react = (finding: Finding, at: number): Trip | undefined =>
    reactions.react({ finding, index: detection.nextIndex, at });
  const clock = new RunClock(detection.limits, react, timers);
  const own = { now, reactions, bookkeeper, observer, underWay, admissions, clock };
  const parts: ConversationParts = { ...common, ...own };
  return parts;
}

/** The state of a conversation as plain JSON. */
export function snapshotParts(parts: ConversationParts): ConversationSnapshot {
  const { detection, trips, circuit, spend, reactions, judge, events } = parts;
  return {
    ...detection.snapshot(),
    recent: trips.snapshot(),
    circuit: circuit.state,
    probes: circuit.probes,
    spend: spend.snapshot(),
    warned: reactions.warned,
    ladder: reactions.ladder.snapshot(),
    judge: judge.snapshot(),
    counters: events.tally.snapshot(),
    ...(events.run && { run: { ...events.run } }),
  };
}

/**
 * Restores {@link snapshotParts}. If that fails, nothing has changed.
 * @throws {@link InvalidSnapshotError} naming the wrong field.
 */
export function restoreParts(parts: ConversationParts, snapshot: unknown): void {
  const { detection, trips, spend, events, judge, reactions, circuit } = parts;
  const checked = checkConversation(snapshot, detection.detectors);
  const before = snapshotParts(parts);
  const restore = (state: ConversationSnapshot): void => {
    detection.restore(state);
    trips.restore(state.recent);
    spend.restore(state.spend);
    events.tally.restore('counters', state.counters);
    events.run = state.run === undefined ? undefined : runIn(state.run);
    judge.restore(state.judge);
    reactions.renewWarnings(state.warned);
    if (state.ladder !== undefined) reactions.ladder.restore('ladder', state.ladder);
  };
  try {
    restore(checked);
  } catch (error) {
    restore(before);
    throw error;
  }
  circuit.restore(checked.circuit, checked.probes);
}

/** Forgets what was said and closes the circuit; spend is kept. */
export function resetParts(parts: ConversationParts): void {
  const { spend, detection, trips, reactions, judge, circuit } = parts;
  spend.forget();
  spend.beginRun();
  releaseLater(parts, spend.releaseAll());
  detection.reset();
  trips.reset();
  reactions.renewWarnings();
  judge.reset();
  circuit.reset();
}

/** Begins a run: what counts for one run alone starts from zero. */
export function beginRun(
  { detection, reactions, spend, judge, circuit, events }: ConversationParts,
  at?: number,
): void {
  detection.beginRun(at);
  reactions.beginRun();
  spend.beginRun();
  judge.drop();
  const { trip } = circuit;
  const isOfRun = trip?.kind === 'limit' || trip?.evidence.purse === 'conversation';
  if (isOfRun) circuit.reset();
  events.begun(at);
}

/** Begins in a breaker that is stopped. */
export function beginStopped(
  { trips, circuit }: ConversationParts,
  { reason, at }: TenantStop,
): void {
  const trip = trips.byHand(reason, 0, at);
  circuit.recall({ state: { status: 'stopped', trip }, probes: 0 });
}

/** Goes by what other processes know of the circuit. Once that is closed, the conversation starts afresh, as after a probe. */
export function follow({ circuit, observer }: ConversationParts, state: CircuitState): void {
  if (circuit.follow(state)) observer.startAfresh();
}

/** What was reserved before a trip is released once the trip is over. A trip ends a question to the judge. */
function circuitChanged(parts: ConversationParts, from: CircuitState, to: CircuitState): void {
  const { spend, judge } = parts;
  const isOver = to.status === 'closed' && from.status === 'half-open';
  if (isOver) releaseLater(parts, spend.releaseTripped());
  if (to.status !== 'open' && to.status !== 'stopped') return;
  spend.tripped();
  judge.drop();
}

function releaseLater(
  { reactions, detection, now }: ConversationParts,
  released: MaybePromise<undefined>,
): void {
  reactions.reactLater(released, detection.nextIndex, now());
}

/** After so long it is worth trying again. */
const SOON_MS = 1_000;

/** Milliseconds until a call may be tried again that was refused by this trip; `undefined` if waiting does not help. */
export function retryInMs(
  { circuit: { state }, spend, now }: ConversationParts,
  { kind, evidence }: Trip,
): number | undefined {
  if (state.status === 'stopped') return undefined;
  const roomAt = (kind === 'budget' && spend.roomAt(evidence)) || 0;
  // The end of a day ends the cool-down, too.
  const isOfPeriod = kind === 'budget' && periodIn(evidence.purse ?? '').period !== undefined;
  const probeFrom = state.status === 'open' && !isOfPeriod ? state.probeFrom : 0;
  // Another call has the place, or is the probe, and nobody knows for how long.
  const isTaken = state.status === 'half-open' || kind === 'rate';
  const at = Math.max(probeFrom, roomAt, isTaken ? now() + SOON_MS : 0);
  return at === 0 ? undefined : at - now();
}
