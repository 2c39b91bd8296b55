export { evalExplain } from './commands/eval-explain.ts';
export { evalFigures } from './commands/eval-figures.ts';
export { evalOutcomes, type OutcomeOptions } from './commands/eval-outcomes.ts';
export { evalScenarios } from './commands/eval-scenarios.ts';
export { evalTraces } from './commands/eval-traces.ts';
export type { EvalOptions } from './commands/judging.ts';
export { resultsOf } from './commands/other-wins.ts';
export { RecordedJudge } from './commands/recorded-judge.ts';
export { runCommand } from './commands/run-command.ts';
export { readDialogues } from './conversations/read-dialogues.ts';
export { readGold, readScenarios, readTraces } from './conversations/read-files.ts';
export {
  type Scenario,
  type ScenarioConfig,
  type ScenarioEvent,
  toOptions,
  toSignal,
} from './conversations/scenario.ts';
export { AS_RECORDED, TELLINGS, type Telling } from './conversations/tellings.ts';
export type { Trace } from './conversations/trace.ts';
export type { Peer } from './peers/peer.ts';
export { PEERS } from './peers/peers.ts';
export { choosePolicies, type PolicyChoice } from './policies/choose-policies.ts';
export { loadPolicy } from './policies/load-policy.ts';
export { BASELINES } from './scores/baselines.ts';
export type { OutcomeScore } from './scores/outcome-tally.ts';
export { type SourceScore, scoreOutcomes } from './scores/score-outcomes.ts';
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
  type Stop,
  type StopPolicy,
  type Watcher,
} from './scores/watcher.ts';
export { wilson, withInterval } from './scores/wilson.ts';
