export type {
  ErrorHandler,
  GuardActivity,
  GuardProblem,
  SelfTestReport,
  TapCheck,
} from '@teamfuse/adapter-kit';
export type { PriceBook, TokenCounter, TokenUsage } from '@teamfuse/core';
export type { GuardOptions, LimitScope, TripMode } from './guard/chat-options.ts';
export { type Guard, guardAgents, install } from './guard/guard-agents.ts';
export type { GuardableAgent } from './guard/guardable-agent.ts';
