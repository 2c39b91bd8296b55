import { Analyzer } from '../analysis/analyzer.ts';
import type { SharedSpend } from '../budget/shared-spend.ts';
import { SpendTracker } from '../budget/spend-tracker.ts';
import { createDetectors } from '../detectors/default-detectors.ts';
import type { Finding } from '../finding.ts';
import { Judge } from '../judge/judge.ts';
import type { Judges } from '../judge/judges.ts';
import { LimitDetector } from '../limits/limit-detector.ts';
import { machineNow } from '../machine.ts';
import type { Pricing } from '../pricing.ts';
import { Disclosure } from '../redact/disclosure.ts';
import type { Trip } from '../trip.ts';
import type { BreakerOptions } from './breaker-options.ts';
import type { CircuitState } from './circuit/circuit.ts';
import { CircuitController } from './circuit/circuit-controller.ts';
import { Tally } from './counters.ts';
import { type BreakerEvents, ConversationEvents } from './events/breaker-events.ts';
import { createCustom, DetectorSet } from './findings/detector-set.ts';
import { FindingHandler } from './findings/finding-handler.ts';
import { RecentSignals } from './findings/recent-signals.ts';
import { Observer } from './observer.ts';
import { AdmissionController } from './steps/admission-controller.ts';
import { RunClock } from './steps/run-clock.ts';

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
  readonly pricing: Pricing;
  readonly spend: SpendTracker;
  readonly disclosure: Disclosure;
  readonly recent: RecentSignals;
  readonly circuit: CircuitController;
  readonly judge: Judge;
  readonly handler: FindingHandler;
  readonly limits: LimitDetector;
  readonly detectors: DetectorSet;
  readonly observer: Observer;
  readonly admissions: AdmissionController;
  readonly clock: RunClock;
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
  const { now = machineNow, detectors: custom = [] } = options;
  const events = new ConversationEvents(shared.events, id);
  const tally = new Tally(shared.tally);
  const limits = new LimitDetector(options);
  const detectors = new DetectorSet(
    [...createDetectors(options), limits, ...createCustom(custom)],
    events,
  );
  const spend = new SpendTracker(shared.spend, shared.pricing, id, options.contextWindow);
  const disclosure = new Disclosure(options, (error) => {
    events.emit('error', { error, during: 'redact' });
  });
  const analyzer = new Analyzer(options.analysis, (tool) => disclosure.name(tool));
  const recent = new RecentSignals(disclosure);
  const circuit = new CircuitController(options.cooldownMs, now, events, changed);
  const judge = new Judge(shared.judges, {
    events,
    now,
    timers: options.timers,
    disclosure,
    mayAsk: () => observer.mayAskJudge(),
    act: (found) => handler.act(found),
    book: (usage) => observer.bookJudge(usage, now()),
  });
  const common = { events, circuit, disclosure, judge, spend, tally };
  const handler = new FindingHandler(options.reaction, { ...common, id, recent });
  const observer = new Observer({ ...common, handler, recent, analyzer, detectors, limits });
  const admissions = new AdmissionController({ ...common, handler, observer });
  const over = (finding: Finding, at: number): Trip | undefined =>
    handler.react({ finding, index: observer.nextIndex, at });
  const clock = new RunClock(limits, over, options.timers);
  const steps = { detectors, observer, admissions, clock };
  return { ...common, ...steps, pricing: shared.pricing, now, recent, handler, limits };
}
