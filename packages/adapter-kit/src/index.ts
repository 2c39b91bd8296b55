export type { PriceBook } from '@teamfuse/core';
export type { AnswerInfo, ModelCall, TokenCounter, TokenUsage } from '@teamfuse/core/kit';
export { ConversationPool } from './context/conversation-pool.ts';
export {
  type ErrorHandler,
  type GuardActivity,
  type GuardProblem,
  showWarning,
} from './context/error-report.ts';
export type { ForWhom } from './context/for-whom.ts';
export { GuardContext, type UnreachedOutcome } from './context/guard-context.ts';
export { type CheckedOptions, checkOptions, type GuardOptions } from './context/guard-options.ts';
export { KeyedRuns } from './context/keyed-runs.ts';
export {
  isAnswerDue,
  type LastAnswer,
  type LastPlace,
  lastAnswerIn,
  placeOfLastAnswer,
} from './context/last-answer.ts';
export { NUDGE_AUTHOR } from './context/nudges.ts';
export type { AskedCall } from './context/open-calls.ts';
export { type OpenRunOptions, OutermostRun } from './context/run.ts';
export { runFor } from './context/run-for.ts';
export type { Run, Scope } from './context/scope.ts';
export type { AskOptions, StepOptions } from './context/step-options.ts';
export type { StreamWithResult } from './context/stream-with-result.ts';
export { tripIn } from './context/trip-in.ts';
export { comesFrom, tripOfRun } from './context/trip-of.ts';
export { checkBreaker, describe, otherVersion } from './install/check-breaker.ts';
export { type Guard, type Installation, installGuard } from './install/install-guard.ts';
export { overlay } from './install/overlay.ts';
export { hasMethods, listOf, readOr } from './install/read-or.ts';
export { type Rehearsal, rehearse } from './install/rehearse.ts';
export { type Replacement, replaceMember } from './install/replace-member.ts';
export type { SelfTestReport, TapCheck } from './install/self-test-report.ts';
export { type Attempt, type InstalledTap, TapSet, whyClaimed } from './install/tap-set.ts';
export type { TeamModel } from './judge/team-model.ts';
export { beginModel, type ModelCallInfo, unaskedModel } from './models/model-call.ts';
export { outputLimit, withOutputLimit } from './models/output-limit.ts';
export { type CodeBlock, executionSignal, joinBlocks } from './signals/execution.ts';
export { type Origin, originOf } from './signals/origin.ts';
export { taskIn } from './signals/task.ts';
export {
  type AgentCall,
  type AgentEnd,
  type AgentInfo,
  type AgentWork,
  beginAgent,
  beginNested,
  beginRun,
  runAgent,
} from './steps/agent-work.ts';
export { askPerson, type PersonWork } from './steps/ask-person.ts';
export { type CodeInfo, codeRun } from './steps/code-run.ts';
export { guardExecute, type ToolExecution } from './steps/execute-tool.ts';
export { type ModelInfo, modelCall, type StreamedPiece } from './steps/model-call.ts';
export { type NestedInfo, nestedRun } from './steps/nested-run.ts';
export { runTeam, type TeamWork } from './steps/run-team.ts';
export {
  type AgentGuard,
  agentGuard,
  eitherRun,
  runWork,
  type WorkInfo,
} from './steps/run-work.ts';
export {
  type BegunStep,
  begin,
  call,
  type StepKind,
  type StepSpec as Step,
  type StreamOptions,
  stream,
} from './steps/step.ts';
export { streamTeam, type TeamStream } from './steps/stream-team.ts';
export { stopOf, type TeamInfo } from './steps/team-run.ts';
export { type ToolInfo, type ToolOutcome, textOutcome, toolCall } from './steps/tool-call.ts';
export { type TurnInfo, turn } from './steps/turn.ts';
