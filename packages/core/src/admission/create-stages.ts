import type { SharedCircuits } from '../circuit/circuit-sharing.ts';
import type { ModelStage, Stage } from './stage.ts';
import {
  closeIfIndependent,
  fewIdentical,
  inTurn,
  judgeAnswered,
  judgeAsked,
  oneProbeOfAll,
  type StagesParts,
  type StepsUnderWay,
  throughCircuit,
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

/** The stages of one conversation. */
export function createStages(
  parts: StagesParts,
  underWay: StepsUnderWay,
  circuits: SharedCircuits | undefined,
): Stages {
  const answered = judgeAnswered(parts);
  const begin = [underWay.stage, answered];
  const pass = [
    ...(circuits ? [oneProbeOfAll(parts, circuits)] : []),
    withinLimits(parts),
    throughCircuit(parts),
    judgeAsked(parts),
    answered,
  ];
  const independent = closeIfIndependent(parts);
  return {
    step: [...begin, ...pass],
    // Once more: other calls may have opened the circuit while it waited.
    toolCall: [...begin, independent, fewIdentical(parts), independent, ...pass],
    modelCall: [
      ...begin,
      ...pass,
      inTurn(parts),
      withinWindow(parts),
      withinBudget(parts),
      answered,
    ],
  };
}
