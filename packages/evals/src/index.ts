export { resultsOf } from './commands/baseline-wins.ts';
export { evalExplain } from './commands/eval-explain.ts';
export { evalFigures } from './commands/eval-figures.ts';
export { evalOutcomes } from './commands/eval-outcomes.ts';
export { evalScenarios } from './commands/eval-scenarios.ts';
export { evalTraces } from './commands/eval-traces.ts';
export type { EvalOptions } from './commands/judging.ts';
export { RecordedJudge } from './commands/recorded-judge.ts';
export { readDialogues } from './conversations/read-dialogues.ts';
export { readGold, readScenarios, readTraces } from './conversations/read-files.ts';
export {
  type Scenario,
  type ScenarioConfig,
  type ScenarioEvent,
  toOptions,
  toSignal,
} from './conversations/scenario.ts';
export type { Trace } from './conversations/trace.ts';
export { BASELINES } from './scores/baselines.ts';
export {
  runScenario,
  type ScenarioOutcome,
  type ScenarioResult,
  type ScenarioScore,
  scoreScenarios,
} from './scores/score-scenarios.ts';
export {
  type GoldLabel,
  runTrace,
  scoreTraces,
  type TraceOutcome,
  type TraceResult,
  type TraceScore,
} from './scores/score-traces.ts';
export {
  breakerPolicy,
  firstStop,
  type Policy,
  type Stop,
  type Watcher,
} from './scores/watcher.ts';
export { wilson, withInterval } from './scores/wilson.ts';
