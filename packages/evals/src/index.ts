export { resultsOf } from './baseline-wins.ts';
export { BASELINES } from './baselines.ts';
export { evalExplain } from './eval-explain.ts';
export { evalOutcomes } from './eval-outcomes.ts';
export { evalScenarios } from './eval-scenarios.ts';
export { evalTraces } from './eval-traces.ts';
export type { EvalOptions } from './judging.ts';
export { readDialogues } from './read-dialogues.ts';
export { readGold, readScenarios, readTraces } from './read-files.ts';
export { RecordedJudge } from './recorded-judge.ts';
export {
  type Scenario,
  type ScenarioConfig,
  type ScenarioEvent,
  toOptions,
  toSignal,
} from './scenario.ts';
export {
  runScenario,
  type ScenarioOutcome,
  type ScenarioResult,
  type ScenarioScore,
  scoreScenarios,
} from './score-scenarios.ts';
export {
  type GoldLabel,
  runTrace,
  scoreTraces,
  type TraceOutcome,
  type TraceResult,
  type TraceScore,
} from './score-traces.ts';
export { type Trace, type TracedSignal, type TraceTurn, toSignals } from './trace.ts';
export {
  breakerPolicy,
  firstStop,
  type Policy,
  type Stop,
  type Watcher,
} from './watcher.ts';
