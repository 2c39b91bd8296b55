export type { PriceBook, TokenCounter, TokenUsage } from '@teamfuse/core';
export { type Guard, install } from './guard.ts';
export type {
  GuardActivity,
  GuardOptions,
  GuardProblem,
  LimitScope,
  TripMode,
} from './guard-options.ts';
export type { GuardableAgent } from './guardable-agent.ts';
export type { AgentReport, SelfTestReport } from './self-test-report.ts';
