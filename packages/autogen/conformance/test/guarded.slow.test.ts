import { describe, test } from 'vitest';
import { checkGuarded } from './support/guarded-cases.ts';

describe('all cases in which everything is guarded and nothing is stopped', () => {
  test('[CONF20] are the same as without a guard, for teams', () =>
    checkGuarded('agentchat', 1, { played: 2226, guarded: 955, signals: 8_000 }));

  test('[CONF20] are the same as without a guard, for agents', () =>
    checkGuarded('groupchat', 1, { played: 1932, guarded: 1907, signals: 13_000 }));
});
