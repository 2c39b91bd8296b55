import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, guardTeam } from '../../src/index.ts';
import { coder, fact } from '../support/teams.ts';

const failure = { exitCode: 1, output: "ModuleNotFoundError: No module named 'pandas'" };

describe.each([
  ['BreakerTermination', true],
  ['guardTeam', false],
])('failures told to %s', (_, isCondition) => {
  it('[CDT5] count once each, although the executor says them as well', async () => {
    const breaker = new Breaker();
    const terminationCondition = isCondition ? new BreakerTermination(breaker) : null;
    const team = coder(() => failure)({ terminationCondition });
    if (!isCondition) guardTeam(team, breaker);
    const { messages } = await team.run({ task: 'Begin' });
    expect(breaker.conversation().trip).toMatchObject({
      kind: 'execution-storm',
      evidence: { count: 5 },
    });
    expect(messages.filter(({ source }) => source === 'runner')).toHaveLength(5);
  });

  it('[CDT5] leave a team alone that gets it right at the fifth time', async () => {
    const breaker = new Breaker();
    const terminationCondition = isCondition ? new BreakerTermination(breaker) : null;
    const team = coder((turn) => (turn % 5 === 0 ? { exitCode: 0, output: fact(turn) } : failure))({
      terminationCondition,
    });
    if (!isCondition) guardTeam(team, breaker);
    await team.run({ task: 'Begin' });
    expect(breaker.conversation().trip).toBeUndefined();
  });
});
