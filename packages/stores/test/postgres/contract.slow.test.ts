import { testContract } from './support/test-contract.ts';

testContract('PostgresBudgetStore with leases', { lease: true });
