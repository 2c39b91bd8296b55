export type {
  ErrorHandler,
  ForWhom,
  GuardActivity,
  GuardProblem,
  SelfTestReport,
  TapCheck,
} from '@teamfuse/adapter-kit';
export type { PriceBook } from '@teamfuse/core';
export type { TokenCounter, TokenUsage } from '@teamfuse/core/kit';
export type { GuardOptions, LimitScope, TripMode } from './context/chat-options.ts';
export { groupOf as membersOf } from './context/group-of.ts';
export { type GuardableAgent, isGuardableAgent } from './context/guardable-agent.ts';
export { findModel as modelOfAgents } from './guard/find-model.ts';
export { type Guard, guardAgents } from './guard/guard-agents.ts';
