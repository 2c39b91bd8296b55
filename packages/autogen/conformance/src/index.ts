export { agentchat } from './agentchat/library.ts';
export { groupchat } from './groupchat/library.ts';
export type { Library } from './harness/library.ts';
export type { CaseResult, Outcome, Report, Totals } from './harness/report.ts';
export { runVectors } from './harness/run-vectors.ts';
