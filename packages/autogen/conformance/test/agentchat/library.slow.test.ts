import { describe } from 'vitest';
import { agentchat } from '../../src/agentchat/library.ts';
import { libraryContract } from '../support/library-contract.ts';

describe('AutoGen AgentChat', () => {
  libraryContract(agentchat, { every: 1, total: 2226, maxDeviatingShare: 0.06 });
});
