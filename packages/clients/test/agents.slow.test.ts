import { OTHERS, testAgents } from './support/test-agents.ts';

testAgents(OTHERS);
