import { Analyzer } from '../analysis/analyzer.ts';
import type { SharedSpend } from '../budget/shared-spend.ts';
import { SpendTracker } from '../budget/spend-tracker.ts';
import { createDetectors, factorOf } from '../detectors/default-detectors.ts';
import { JudgeSeat } from '../judge/judge-seat.ts';
import type { Judges } from '../judge/judges.ts';
import { Gates } from '../limits/gates.ts';
import { LimitDetector } from '../limits/limit-detector.ts';
import { machineNow } from '../machine.ts';
import type { Pricing } from '../pricing.ts';
import { Disclosure } from '../redact/disclosure.ts';
import type { BreakerOptions } from './breaker-options.ts';
import { type ConversationSnapshot, checkConversation } from './breaker-snapshot.ts';
import type { CircuitState } from './circuit/circuit.ts';
import { CircuitController } from './circuit/circuit-controller.ts';
import { Tally } from './counters.ts';
import { type BreakerEvents, ConversationEvents } from './events/breaker-events.ts';
import { createCustom, DetectorSet } from './findings/detector-set.ts';
import { FindingHandler } from './findings/finding-handler.ts';
import { RecentSignals } from './findings/recent-signals.ts';
import { Observer } from './observer.ts';
import { AdmissionController } from './steps/admission-controller.ts';

/** What all conversations of a breaker share. @internal */
export interface Shared {
  readonly options: BreakerOptions;
  readonly events: BreakerEvents;
  readonly spend: SharedSpend;
  readonly tally: Tally;
  readonly judges: Judges;
  readonly pricing: Pricing;
}

/** The collaborators of a conversation. @internal */
export interface ConversationParts {
  readonly now: () => number;
  readonly events: ConversationEvents;
  readonly tally: Tally;
  readonly spend: SpendTracker;
  readonly disclosure: Disclosure;
  readonly recent: RecentSignals;
  readonly circuit: CircuitController;
  readonly seat: JudgeSeat;
  readonly handler: FindingHandler;
  readonly limits: LimitDetector;
  readonly gates: Gates;
  readonly detectors: DetectorSet;
  readonly observer: Observer;
  readonly admissions: AdmissionController;
}

/**
 * Puts a conversation together. `changed` is called when its circuit changes.
 * @throws {@link InvalidOptionError} @internal
 */
export function createParts(
  id: string,
  shared: Shared,
  changed: (from: CircuitState, to: CircuitState) => void,
): ConversationParts {
  const { options } = shared;
  const { now = machineNow, sensitivity = 'normal', detectors: custom = [] } = options;
  const events = new ConversationEvents(shared.events, id);
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
  const analyzer = new Analyzer(options.analysis, (tool) => disclosure.name(tool));
  const recent = new RecentSignals(disclosure);
  const circuit = new CircuitController(options.cooldownMs, now, events, changed);
  const seat = new JudgeSeat(shared.judges, {
    events,
    now,
    factor: factorOf(sensitivity),
    disclosure,
    mayAsk: () => observer.mayAskJudge(),
    act: (found) => handler.act(found),
    book: (usage) => observer.bookJudge(usage, now()),
  });
  const common = { events, circuit, seat, spend, tally };
  const found = { recent, analyzer, detectors, limits, gates };
  const handler = new FindingHandler(options.reaction, { ...common, id, disclosure, recent });
  const observer = new Observer({ ...common, ...found, handler });
  const admissions = new AdmissionController({ ...common, gates, handler, observer });
  return { ...common, ...found, now, disclosure, handler, observer, admissions };
}

/** The state of a conversation as plain JSON. @internal */
export function snapshotOf(parts: ConversationParts): ConversationSnapshot {
  const { observer, circuit, spend, handler, seat, tally } = parts;
  return {
    ...observer.snapshot(),
    circuit: circuit.state,
    probes: circuit.probes,
    spend: spend.snapshot(),
    warned: handler.warned,
    judge: seat.snapshot(),
    counters: tally.snapshot(),
  };
}

/**
 * Restores {@link snapshotOf}. If that fails, nothing has changed.
 * @throws {@link InvalidSnapshotError} naming the wrong field. @internal
 */
export function restoreParts(parts: ConversationParts, snapshot: unknown): void {
  const { observer, spend, tally, seat, detectors, handler, circuit } = parts;
  const checked = checkConversation(snapshot, detectors.all);
  const before = snapshotOf(parts);
  const restore = (state: ConversationSnapshot): void => {
    observer.restore(state);
    spend.restore(state.spend);
    tally.restore('counters', state.counters);
    seat.restore(state.judge);
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
