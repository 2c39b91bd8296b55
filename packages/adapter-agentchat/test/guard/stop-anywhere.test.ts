import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination } from '../../src/breaker-termination.ts';
import { guardTeam } from '../../src/guard/guard-team.ts';
import { recorded } from '../support/signals.ts';
import { everything, testStops } from '../support/stop-anywhere.ts';

testStops(5);

describe('a guard', () => {
  it('[GRD12] tells the same with a condition beside it as without', async () => {
    const tell = async (isBeside: boolean): Promise<unknown[]> => {
      const breaker = new Breaker({ now: () => 0 });
      const told = recorded(breaker);
      const condition = isBeside ? new BreakerTermination(breaker) : null;
      const { team } = everything(true, condition);
      guardTeam(team, breaker);
      await team.run({ task: 'Begin' });
      return told.map(({ requestId, chatId, ...rest }) => rest);
    };
    expect(await tell(true)).toEqual(await tell(false));
  });
});
