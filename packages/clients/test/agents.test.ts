import { SOME, testAgents } from './support/test-agents.ts';

testAgents(SOME);
