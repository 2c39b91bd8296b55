export type { PriceBook } from '@teamfuse/core';
export type { TokenCounter, TokenUsage } from '@teamfuse/core/kit';
export { ConversationPool } from './context/conversations.ts';
export {
  type ErrorHandler,
  type GuardActivity,
  type GuardProblem,
  showWarning,
} from './context/error-report.ts';
export { GuardContext, type UnreachedOutcome } from './context/guard-context.ts';
export { type CheckedOptions, checkOptions, type GuardOptions } from './context/guard-options.ts';
export { KeyedRuns } from './context/keyed-runs.ts';
export { NUDGE_AUTHOR } from './context/nudges.ts';
export type { AskedCall } from './context/open-calls.ts';
export { type OpenRunOptions, OutermostRun } from './context/run.ts';
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
export { type Attempt, type InstalledTap, TapSet } from './install/tap-set.ts';
export type { TeamModel } from './judge/team-model.ts';
export { type AnswerInfo, ModelCall, type ModelCallInfo } from './models/model-call.ts';
export { outputLimit } from './models/output-limit.ts';
export { type CodeBlock, executionSignal, joinBlocks } from './signals/execution.ts';
export { type Origin, originOf } from './signals/origin.ts';
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
export { callModel, type ModelWork } from './steps/call-model.ts';
export {
  beginTool,
  callTool,
  type ToolInfo,
  type ToolOutcome,
  type ToolUse,
  type ToolWork,
  textOutcome,
} from './steps/call-tool.ts';
export { guardExecute, type ToolExecution } from './steps/execute-tool.ts';
export { type CodeWork, runCode } from './steps/run-code.ts';
export { type NestedWork, runNested } from './steps/run-nested.ts';
export { runTeam, type TeamWork } from './steps/run-team.ts';
export { type AgentGuard, agentGuard, runWork, type WorkInfo } from './steps/run-work.ts';
export { type ModelStream, streamModel } from './steps/stream-model.ts';
export { streamTeam, type TeamStream } from './steps/stream-team.ts';
export { streamTool, type ToolStream } from './steps/stream-tool.ts';
export { streamTurn, type TurnStream } from './steps/stream-turn.ts';
export { type TurnInfo, type TurnWork, takeTurn } from './steps/take-turn.ts';
export { stopOf, type TeamInfo } from './steps/team-run.ts';
