import { Analyzer } from '../analysis/analyzer.ts';
import type { SharedSpend } from '../budget/shared-spend.ts';
import { SpendTracker } from '../budget/spend-tracker.ts';
import { createDetectors } from '../detectors/default-detectors.ts';
import type { Finding } from '../finding.ts';
import { Judge } from '../judge/judge.ts';
import { type Judges, TenantJudges } from '../judge/judges.ts';
import { Gates } from '../limits/gates.ts';
import { LimitDetector } from '../limits/limit-detector.ts';
import { machineNow } from '../machine.ts';
import { integer } from '../options.ts';
import type { Pricing } from '../pricing.ts';
import { Disclosure } from '../redact/disclosure.ts';
import { Tenant } from '../tenant.ts';
import type { Trip } from '../trip.ts';
import { BREAKER_OPTIONS, type BreakerOptions } from './breaker-options.ts';
import { type ConversationSnapshot, checkConversation } from './breaker-snapshot.ts';
import type { CircuitState } from './circuit/circuit.ts';
import { CircuitController, type CircuitHooks } from './circuit/circuit-controller.ts';
import type { SharedCircuits } from './circuit/shared-circuits.ts';
import { Tally } from './counters.ts';
import { type BreakerEvents, ConversationEvents } from './events/breaker-events.ts';
import { createCustom, DetectorSet } from './findings/detector-set.ts';
import { FindingHandler } from './findings/finding-handler.ts';
import { RecentSignals } from './findings/recent-signals.ts';
import { Observer } from './observer.ts';
import { AdmissionController } from './steps/admission-controller.ts';
import { IdenticalCalls } from './steps/identical-calls.ts';
import { RunClock } from './steps/run-clock.ts';
import { CallPlaces } from './throttle/call-places.ts';
import type { Throttle } from './throttle/throttle.ts';

/** What all conversations of a breaker share. */
export interface Shared {
  readonly options: BreakerOptions;
  readonly events: BreakerEvents;
  readonly spend: SharedSpend;
  readonly tally: Tally;
  readonly judges: Judges;
  readonly pricing: Pricing;
  readonly throttle: Throttle;
  /** Those that other processes go by, too. */
  readonly circuits: SharedCircuits | undefined;
}

/** The collaborators of a conversation. */
export interface ConversationParts {
  readonly now: () => number;
  readonly events: ConversationEvents;
  readonly tally: Tally;
  readonly pricing: Pricing;
  readonly spend: SpendTracker;
  readonly disclosure: Disclosure;
  readonly recent: RecentSignals;
  readonly circuit: CircuitController;
  readonly judge: Judge;
  readonly handler: FindingHandler;
  readonly limits: LimitDetector;
  readonly gates: Gates;
  readonly detectors: DetectorSet;
  readonly observer: Observer;
  readonly admissions: AdmissionController;
  readonly clock: RunClock;
}

/** What a conversation's parts tell it. */
export interface ConversationHooks {
  /** Its circuit changes. */
  readonly changed: (from: CircuitState, to: CircuitState) => void;
  /** The last of its steps that were under way has ended. */
  readonly idle: () => void;
}

/**
 * Puts a conversation together.
 * @throws {@link InvalidOptionError}
 */
export function createParts(
  id: string,
  shared: Shared,
  { changed, idle }: ConversationHooks,
): ConversationParts {
  const { options } = shared;
  const { now = machineNow, detectors: custom = [] } = options;
  const { default: most } = BREAKER_OPTIONS.maxIdenticalInFlight;
  const maxIdentical = integer('maxIdenticalInFlight', options.maxIdenticalInFlight ?? most, 1);
  const tenant = Tenant.of(id);
  const events = new ConversationEvents(shared.events, id, tenant);
  const tally = new Tally(shared.tally);
  const limits = new LimitDetector(options);
  const detectors = new DetectorSet(
    [...createDetectors(options), limits, ...createCustom(custom)],
    events,
  );
  const gates = new Gates(detectors.all.flatMap(({ gate }) => gate ?? []));
  const spend = new SpendTracker(shared.spend, shared.pricing, id, options.contextWindow);
  const disclosure = new Disclosure(options, (error) => {
    events.emit('error', { error, during: 'redact' });
  });
  const analyzer = new Analyzer(
    options.analysis,
    (tool) => disclosure.name(tool),
    (error) => events.emit('error', { error, during: 'detector' }),
  );
  const recent = new RecentSignals(disclosure);
  const circuits = shared.circuits?.isShared(id) ? shared.circuits : undefined;
  const tell: CircuitHooks['tell'] = circuits && ((event, from) => circuits.tell(id, event, from));
  const circuit = new CircuitController(options.cooldownMs, now, events, { changed, tell });
  const judge = new Judge(new TenantJudges(shared.judges, tenant), {
    events,
    now,
    timers: options.timers,
    disclosure,
    mayAsk: () => observer.mayAskJudge(),
    affords: (share, tokens) => spend.affordsJudge(share, tokens),
    act: (found) => handler.act(found),
    book: (usage) => observer.bookJudge(usage, now()),
  });
  const common = { events, circuit, disclosure, judge, spend, tally };
  const found = { recent, analyzer, detectors, limits, gates };
  const handler = new FindingHandler(options.reaction, { ...common, id, recent });
  const places = new CallPlaces();
  const observer = new Observer({ ...common, ...found, places, handler });
  const mayWait = detectors.all.some(({ kind, foresee }) => foresee && handler.stopsFor(kind));
  const identical = new IdenticalCalls(mayWait ? maxIdentical : Number.POSITIVE_INFINITY);
  const { throttle } = shared;
  const steps = { gates, identical, handler, observer, throttle, places, circuits, idle };
  const admissions = new AdmissionController({ ...common, ...steps });
  const over = (finding: Finding, at: number): Trip | undefined =>
    handler.react({ finding, index: observer.nextIndex, at });
  const clock = new RunClock(limits, over, options.timers);
  const { pricing } = shared;
  return { ...common, ...found, pricing, now, handler, observer, admissions, clock };
}

/** The state of a conversation as plain JSON. */
export function snapshotOf(parts: ConversationParts): ConversationSnapshot {
  const { observer, circuit, spend, handler, judge, tally } = parts;
  return {
    ...observer.snapshot(),
    circuit: circuit.state,
    probes: circuit.probes,
    spend: spend.snapshot(),
    warned: handler.warned,
    judge: judge.snapshot(),
    counters: tally.snapshot(),
  };
}

/**
 * Restores {@link snapshotOf}. If that fails, nothing has changed.
 * @throws {@link InvalidSnapshotError} naming the wrong field.
 */
export function restoreParts(parts: ConversationParts, snapshot: unknown): void {
  const { observer, spend, tally, judge, detectors, handler, circuit } = parts;
  const checked = checkConversation(snapshot, detectors.all);
  const before = snapshotOf(parts);
  const restore = (state: ConversationSnapshot): void => {
    observer.restore(state);
    spend.restore(state.spend);
    tally.restore('counters', state.counters);
    judge.restore(state.judge);
  };
  try {
    restore(checked);
  } catch (error) {
    restore(before);
    throw error;
  }
  handler.renewWarnings(checked.warned);
  circuit.restore(checked.circuit, checked.probes);
}
