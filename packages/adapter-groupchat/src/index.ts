export type {
  ErrorHandler,
  GuardActivity,
  GuardProblem,
  SelfTestReport,
  TapCheck,
} from '@teamfuse/adapter-kit';
export type { PriceBook } from '@teamfuse/core';
export type { TokenCounter, TokenUsage } from '@teamfuse/core/kit';
export { groupOf as membersOf, isGuardableAgent } from './context/agent-view.ts';
export type { GuardOptions, LimitScope, TripMode } from './context/chat-options.ts';
export type { GuardableAgent } from './context/guardable-agent.ts';
export { findModel as modelOfAgents } from './guard/find-model.ts';
export { type Guard, guardAgents } from './guard/guard-agents.ts';
