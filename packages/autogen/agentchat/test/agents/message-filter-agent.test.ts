import {
  MessageFilterAgent,
  type PerSourceFilter,
  RoundRobinGroupChat,
  TextMessage,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { AssistantAgent } from '../../src/agents/assistant-agent.ts';
import { ScriptedAgent, transcript } from '../teams/scripted-agent.ts';
import { replay } from './scripts.ts';

const said = ['a1', 'b1', 'a2', 'b2', 'a3'].map(
  (content) => new TextMessage({ content, source: content.charAt(0) }),
);

async function seen(...perSource: PerSourceFilter[]): Promise<string | undefined> {
  const wrappedAgent = new ScriptedAgent('x', 'ok');
  await new MessageFilterAgent('x', { wrappedAgent, filter: { perSource } }).onMessages(said);
  return wrappedAgent.received[0]?.join(' ');
}

describe('MessageFilterAgent', () => {
  it.each<[string, PerSourceFilter[]]>([
    ['', []],
    ['a1 a2 a3', [{ source: 'a' }]],
    ['a1 a2', [{ source: 'a', position: 'first', count: 2 }]],
    ['a2 a3', [{ source: 'a', position: 'last', count: 2 }]],
    ['a1 a2 a3', [{ source: 'a', position: 'last', count: 0 }]],
    ['a1 a2 a3', [{ source: 'a', position: 'last' }]],
    ['a1 a2 a3', [{ source: 'a', count: 1 }]],
    [
      'b2 a1',
      [
        { source: 'b', position: 'last', count: 1 },
        { source: 'a', position: 'first', count: 1 },
      ],
    ],
    ['', [{ source: 'nobody' }]],
  ])('[FILT1] lets through "%s" for %j', async (expected, perSource) => {
    expect(await seen(...perSource)).toBe(expected);
  });

  it('[FILT2] describes itself after the wrapped agent', () => {
    const wrappedAgent = new ScriptedAgent('x', 'ok');
    const agent = new MessageFilterAgent('y', { wrappedAgent, filter: { perSource: [] } });
    expect(agent.description).toBe('x follows a script (with message filtering)');
    expect(agent.producedMessageTypes).toBe(wrappedAgent.producedMessageTypes);
  });

  it('[FILT3] passes on what is said under the name of the wrapped agent', async () => {
    const wrappedAgent = new ScriptedAgent('inside', 'ok');
    const agent = new MessageFilterAgent('outside', { wrappedAgent, filter: { perSource: [] } });
    const { messages } = await new RoundRobinGroupChat([agent], { maxTurns: 1 }).run({ task: 't' });
    expect(transcript(messages)).toEqual(['user: t', 'inside: ok']);
  });

  it('[FILT4] resets the wrapped agent', async () => {
    const wrappedAgent = new ScriptedAgent('x', 'one', 'two');
    const agent = new MessageFilterAgent('x', { wrappedAgent, filter: { perSource: [] } });
    await agent.run({ task: 't' });
    await agent.onReset();
    expect(transcript((await agent.run({ task: 't' })).messages).at(-1)).toBe('x: one');
  });

  it('[FILT5] keeps the state of the wrapped agent', async () => {
    const make = () => {
      const wrappedAgent = new AssistantAgent('x', { modelClient: replay('one', 'two') });
      return new MessageFilterAgent('x', {
        wrappedAgent,
        filter: { perSource: [{ source: 'user' }] },
      });
    };
    const first = make();
    await first.run({ task: 't' });
    const second = make();
    await second.loadState(await first.saveState());
    expect(await second.saveState()).toEqual(await first.saveState());
    expect(JSON.stringify(await second.saveState())).toContain('"one"');
  });

  it('[FILT5] loads a state of AutoGen, which has nothing of the wrapped agent', async () => {
    const wrappedAgent = new ScriptedAgent('x', 'ok');
    const agent = new MessageFilterAgent('x', { wrappedAgent, filter: { perSource: [] } });
    await expect(agent.loadState({ type: 'BaseState', version: '1.0.0' })).resolves.toBeUndefined();
  });
});
