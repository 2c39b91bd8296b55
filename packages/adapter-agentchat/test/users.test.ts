import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../src/index.ts';
import { pair } from './support/teams.ts';

/** The stream of a team is read after `guard.run()` has returned. */
describe('a stream that a user opens', () => {
  it('[GRD21] belongs to him wherever it is read', async () => {
    const breaker = new Breaker();
    const whose: string[] = [];
    breaker.on('signal', ({ signal, conversation }) => {
      if (signal.kind === 'message') whose.push(`${conversation.split('/')[0]} ${signal.agent}`);
    });
    const team = pair('crew', 'writer', 'critic');
    const guard = guardTeam(team, breaker);
    for (const user of ['ann', 'bob']) {
      const stream = guard.run({ user }, () => team.runStream({ task: 'Begin.' }));
      for await (const _ of stream);
      await team.reset();
    }
    const said = (user: string): readonly string[] =>
      ['writer', 'critic'].map((agent) => `user:${user} ${agent}`);
    expect(whose).toEqual([...said('ann'), ...said('bob')]);
  });
});
