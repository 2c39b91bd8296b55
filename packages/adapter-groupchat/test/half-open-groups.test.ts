import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { group, speaker } from './support/agents.ts';
import { COOLDOWN_MS, openCircuit } from './support/open-circuit.ts';

describe('a group after the cool-down', () => {
  test('[GCH1] until then nothing is said in it', async () => {
    const members = ['A', 'B'].map((name) => speaker(name));
    const { groupchat, manager } = group(members);
    const { clock } = openCircuit([...members, manager]);
    clock.advance(COOLDOWN_MS - 1);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages).toEqual([]);
  });

  test('[GCT5] nothing is said in it either in a run that was ended before', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { groupchat, manager } = group([a, b]);
    const { clock } = openCircuit([a, b, manager]);
    await a.initiateChat(b, {
      message: 'hello',
      summaryMethod: async () => {
        clock.advance(COOLDOWN_MS);
        await a.send('And now?', manager, { requestReply: true });
        return '';
      },
    });
    expect(groupchat.messages).toEqual([]);
  });

  test('[GCH4] a group inside the turn has its speakers chosen as ever', async () => {
    const [a, b] = [speaker('A'), speaker('B', ['news'])];
    const members = ['C', 'D', 'E'].map((name) => speaker(name, 'hello'));
    const client = new ReplayChatCompletionClient(['E']);
    const { groupchat, manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
      maxRound: 2,
    });
    b.registerNestedChats([{ recipient: manager, message: 'hello', maxTurns: 1 }], [a]);
    const { clock } = openCircuit([a, b, ...members, manager]);
    clock.advance(COOLDOWN_MS);
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(groupchat.messages.map(({ name }) => name)).toEqual(['B', 'E']);
  });

  test('[GCH5] the first member to speak is let through, not the manager', async () => {
    const members = [speaker('A'), speaker('B', ['news']), speaker('C', ['more'])];
    const { groupchat, manager } = group(members, { maxRound: 3 });
    const { breaker, clock } = openCircuit([...members, manager]);
    clock.advance(COOLDOWN_MS);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages.map(({ content }) => content)).toEqual(['hello', 'news', 'more']);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH5] so it is where the group is asked outside of any chat', async () => {
    const members = [speaker('A'), speaker('B', ['news']), speaker('C', ['more'])];
    const { groupchat, manager } = group(members, { maxRound: 3 });
    const { breaker, clock } = openCircuit([...members, manager]);
    clock.advance(COOLDOWN_MS);
    await members[0]?.send('hello', manager, { requestReply: true });
    expect(groupchat.messages.map(({ content }) => content)).toEqual(['hello', 'news', 'more']);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH5] one turn without news ends the run', async () => {
    const members = [speaker('A'), speaker('B', 'hello'), speaker('C')];
    const { groupchat, manager } = group(members);
    const { breaker, clock } = openCircuit([...members, manager]);
    clock.advance(COOLDOWN_MS);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages).toHaveLength(2);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCH6] the speaker who is let through is the next in the ring: no model is asked who', async () => {
    const members = [speaker('A'), speaker('B', ['news']), speaker('C', ['more'])];
    const client = new ReplayChatCompletionClient(['C', 'A']);
    const { groupchat, manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
      maxRound: 3,
    });
    const { clock } = openCircuit([...members, manager]);
    clock.advance(COOLDOWN_MS);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(groupchat.messages.map(({ name }) => name)).toEqual(['A', 'B', 'C']);
    expect(client.calls).toHaveLength(1);
  });
});
