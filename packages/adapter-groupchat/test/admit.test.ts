import type { ConversableAgent } from '@teamfuse/groupchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, guardAgents } from '../src/index.ts';
import { group, speaker } from './support/agents.ts';
import { bareBreaker } from './support/bare-breaker.ts';
import { COOLDOWN_MS, openCircuit } from './support/open-circuit.ts';

/** A guarded team whose circuit has cooled down. */
function cooledDown(agents: readonly ConversableAgent[], options: GuardOptions = {}) {
  const { breaker, clock } = openCircuit(agents, options);
  clock.advance(COOLDOWN_MS);
  return { breaker };
}

describe('once the circuit has cooled down', () => {
  test.each(['terminate', 'reply', 'throw'] as const)(
    '[GCH6] no model is asked who speaks, and the chat goes on, with onTrip %s',
    async (onTrip) => {
      const members = [speaker('A'), speaker('B', ['news']), speaker('C', ['more'])];
      const client = new ReplayChatCompletionClient(['C', 'A']);
      const { groupchat, manager } = group(members, {
        speakerSelectionMethod: 'auto',
        selectSpeakerAutoLlmConfig: { client },
        maxRound: 3,
      });
      const { breaker } = cooledDown([...members, manager], { onTrip });
      await members[0]?.initiateChat(manager, { message: 'hello' });
      expect(groupchat.messages.map(({ content }) => content)).toEqual(['hello', 'news', 'more']);
      expect([client.calls.length, breaker.conversation().state.status]).toEqual([1, 'closed']);
    },
  );

  test.each([
    { kind: 'tool-call', name: 'look', callId: null, arguments: '{}' },
    { kind: 'code-execution', blocks: [{ code: 'ls', language: 'sh' }] },
    { kind: 'model-request', model: 'scripted', messages: [] },
  ])('[GCH4] a step outside of any turn is no probe: $kind', async (step) => {
    const b = speaker('B');
    const { breaker } = cooledDown([b]);
    let hasBegun = false;
    const work = async () => {
      hasBegun = true;
    };
    const stepping = b.taps.around({ ...step, agent: b, hiddenFor: null } as never, work);
    await expect(stepping).rejects.toThrow('somebody said loop');
    expect([hasBegun, breaker.conversation().state.status]).toEqual([false, 'open']);
  });
});

describe('a step', () => {
  test('[GCS10] of a tool without a name is one of an unknown tool', async () => {
    const breaker = bareBreaker();
    const tools: string[] = [];
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'tool-call') tools.push(signal.tool);
    });
    const b = speaker('B');
    guardAgents([b], breaker);
    const call = { kind: 'tool-call', agent: b, hiddenFor: null, callId: null, arguments: '{}' };
    const work = async () => ({ succeeded: true, content: '' });
    await b.taps.around({ ...call, name: '' } as never, work);
    await b.taps.around({ ...call, name: 'look' } as never, work);
    expect(tools).toEqual(['unknown', 'look']);
  });

  test('[GCS16] of nested chats has the names of all who are asked', async () => {
    const breaker = bareBreaker();
    const paths: unknown[] = [];
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'nested-start') paths.push(signal.path);
    });
    const [a, b] = [speaker('A'), speaker('B')];
    const critics = ['critic', 'editor', 'critic'].map((name) => speaker(name));
    guardAgents([a, b], breaker);
    b.registerNestedChats(
      critics.map((recipient) => ({ recipient, message: 'Well?', maxTurns: 1 })),
      () => true,
      { position: 3 },
    );
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(paths[0]).toEqual(['A', 'critic+editor']);
  });

  test('[GCS2] that chooses a speaker is taken where it is', async () => {
    const b = speaker('B');
    guardAgents([b], bareBreaker());
    const choice = { kind: 'selection', agent: b, hiddenFor: null, lastSpeaker: b } as const;
    expect(await b.taps.around(choice, async () => 'chosen')).toBe('chosen');
  });

  test('[GCT3] that makes a prompt for the choice of a speaker is not begun after a trip', async () => {
    let prompts = 0;
    const client = new ReplayChatCompletionClient(['nobody', 'B']);
    const members = ['A', 'B', 'C'].map((name) => speaker(name));
    const { manager } = group(members, {
      speakerSelectionMethod: 'auto',
      selectSpeakerAutoLlmConfig: { client },
      selectSpeakerTransformMessages: (messages) => {
        prompts += 1;
        return messages;
      },
    });
    const breaker = bareBreaker();
    breaker.on('signal', ({ signal }) => signal.kind === 'usage' && breaker.stop());
    guardAgents([...members, manager], breaker);
    await members[0]?.initiateChat(manager, { message: 'hello' });
    expect(prompts).toBe(1);
  });
});
