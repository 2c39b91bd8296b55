import type { Suite } from '../harness/suite.ts';
import { runAgentchatVectors } from './run-vectors.ts';

/** The recorded cases of AutoGen AgentChat. */
export const agentchatSuite: Suite = { allowedFailedShare: 0.005, run: runAgentchatVectors };
