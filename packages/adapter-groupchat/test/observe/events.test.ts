import { describe, expect, test } from 'vitest';
import { guardAgents } from '../../src/index.ts';
import { group, silence, speaker, thinker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { paused } from '../support/gate.ts';
import { ofKind } from '../support/signals.ts';
import { watched } from '../support/watched.ts';

describe('an event', () => {
  test('[GCF1] that cannot be read is a problem of observing', () => {
    const a = speaker('A');
    const { problems } = watched([a]);
    const broken = new Error('no text');
    const message = {
      get content(): string {
        throw broken;
      },
    };
    const copy = { kind: 'message', direction: 'sent', delivery: 0, peer: a, message } as const;
    a.taps.observe({ agent: a, hiddenFor: null, ...copy });
    expect(problems).toEqual([{ during: 'observe', error: broken }]);
  });

  test('[GCF1] of a turn that has begun before its agent was guarded is no problem', async () => {
    const { agent, client } = thinker('A', ['late']);
    const { isAsked, answer } = paused(client);
    const chat = speaker('B').initiateChat(agent, { message: 'hello', maxTurns: 1 });
    await isAsked;
    const { problems } = watched([agent]);
    answer();
    expect((await chat).summary).toBe('late');
    expect(problems).toEqual([]);
  });

  test('[GCT1] of a group that a trip has ended says that there is no reply, and no error', async () => {
    const ends: unknown[] = [];
    const [a, b] = [speaker('A'), speaker('B')];
    const { manager } = group([a, b]);
    guardAgents([a, b, manager], bareBreaker({ maxMessages: 2 }));
    manager.taps.add({
      observe: (event) => event.kind === 'run-end' && ends.push([event.reason, event.error]),
    });
    await a.initiateChat(manager, { message: 'hello' });
    expect(ends).toEqual([['no_reply', null]]);
  });

  test('[GCS2] of a choice that fails is neither a choice nor a problem', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { manager } = group([a, b], {
      speakerSelectionMethod: () => {
        throw new Error('no idea');
      },
    });
    const { signals, problems } = watched([a, b, manager]);
    await expect(a.initiateChat(manager, { message: 'hello' })).rejects.toThrow('no idea');
    expect(ofKind(signals, 'selection')).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('[GCS21] of a person who leaves the choice of a speaker to the group is no decision', async () => {
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members, { speakerSelectionMethod: 'manual', maxRound: 2 });
    Object.assign(manager, { io: silence });
    const { signals } = watched([...members, manager]);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    const [input] = ofKind(signals, 'human-input');
    expect(input).toMatchObject({ agent: 'chat_manager', text: '' });
    expect(input).not.toHaveProperty('decision');
  });
});
