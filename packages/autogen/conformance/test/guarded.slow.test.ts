import { describe, test } from 'vitest';
import { checkGuarded } from './support/guarded-cases.ts';

describe('every fourth case in which everything is guarded and nothing is stopped', () => {
  test('[CONF20] are the same as without a guard, for teams', () =>
    checkGuarded('agentchat', 4, { played: 557, guarded: 241, signals: 2_000 }));

  test('[CONF20] are the same as without a guard, for agents', () =>
    checkGuarded('groupchat', 4, { played: 483, guarded: 477, signals: 3_000 }));
});
