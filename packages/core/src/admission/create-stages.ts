import type { SpendTracker } from '../budget/spend-tracker.ts';
import type { CircuitController } from '../circuit/circuit-controller.ts';
import type { SharedCircuits } from '../circuit/circuit-sharing.ts';
import type { Detection } from '../detection/detection.ts';
import type { ConversationEvents } from '../events/conversation-events.ts';
import type { Judge } from '../judge/judge.ts';
import type { Observer } from '../reactions/observer.ts';
import type { Reactions } from '../reactions/reactions.ts';
import type { CallSlots } from '../throttle/slots.ts';
import type { Throttle } from '../throttle/throttle.ts';
import { IdenticalCalls } from './identical-calls.ts';
import type { ModelStage, Stage } from './stage.ts';
import {
  alone,
  fewIdentical,
  inTurn,
  judgeAnswered,
  judgeAsked,
  oneProbeOfAll,
  pastCircuit,
  type StepsUnderWay,
  withinBudget,
  withinLimits,
  withinWindow,
} from './stages.ts';

/** What each kind of step has to pass, in this order. */
export interface Stages {
  readonly step: readonly Stage[];
  readonly toolCall: readonly Stage[];
  readonly modelCall: readonly ModelStage[];
}

/** What the stages work with. */
export interface StagesParts {
  /** The id of the conversation. */
  readonly id: string;
  readonly maxIdenticalInFlight: number;
  readonly circuit: CircuitController;
  readonly circuits: SharedCircuits | undefined;
  readonly detection: Detection;
  readonly events: ConversationEvents;
  readonly reactions: Reactions;
  readonly judge: Judge;
  readonly observer: Observer;
  readonly slots: CallSlots;
  readonly spend: SpendTracker;
  readonly throttle: Throttle;
  readonly underWay: StepsUnderWay;
}

/** The stages of one conversation. */
export function createStages(parts: StagesParts): Stages {
  const { id, circuit, circuits, detection, events, reactions, observer, spend } = parts;
  const begin = [parts.underWay.stage, judgeAnswered(parts.judge)];
  const pass = [
    ...(circuits ? [oneProbeOfAll(circuits, circuit, id)] : []),
    withinLimits(circuit, detection, reactions, observer),
    pastCircuit(circuit, events, observer),
    judgeAsked(reactions),
    judgeAnswered(parts.judge),
  ];
  const byItself = alone(circuit);
  return {
    step: [...begin, ...pass],
    // What was found of others while it waited concerns it no more than before.
    toolCall: [...begin, byItself, identical(parts), byItself, ...pass],
    modelCall: [
      ...begin,
      ...pass,
      inTurn(parts),
      withinWindow(spend),
      withinBudget(circuit, reactions, spend),
      judgeAnswered(parts.judge),
    ],
  };
}

/** Where a loop of calls is foreseen and refused, identical ones wait for each other. */
function identical({ circuit, detection, reactions, maxIdenticalInFlight }: StagesParts): Stage {
  const { detectors } = detection;
  const mayWait = detectors.some(({ kind, foresee }) => foresee && reactions.stopsFor(kind));
  const most = mayWait ? maxIdenticalInFlight : Number.POSITIVE_INFINITY;
  return fewIdentical(circuit, detection, new IdenticalCalls(most));
}
