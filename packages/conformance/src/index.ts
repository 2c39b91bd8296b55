export { runAgentchatVectors } from './agentchat/run-vectors.ts';
export { runGroupchatVectors } from './groupchat/run-vectors.ts';
export type { NotPassed, Report, Suite, Totals } from './harness/suite.ts';
