import { testContract } from './support/test-contract.ts';

testContract('PostgresBudgetStore', { lease: false });
