import {
  CancelledError,
  HandoffMessage,
  RoundRobinGroupChat,
  TextMessage,
  UserProxyAgent,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { collect, lines } from './scripts.ts';

const text = new TextMessage({ content: 'ok?', source: 'a' });
const handoff = (target: string) => new HandoffMessage({ content: 'you', source: 'a', target });

function proxy(answer = 'yes') {
  const prompts: string[] = [];
  const agent = new UserProxyAgent('user', {
    inputFunc: (prompt) => {
      prompts.push(prompt);
      return answer;
    },
  });
  return { agent, prompts };
}

describe('UserProxyAgent', () => {
  it('[USER1] announces the request, then passes on the answer', async () => {
    const { agent, prompts } = proxy();
    const { items, end } = await collect(agent.onMessagesStream([text]));
    expect(items.map(({ type }) => type)).toEqual(['UserInputRequestedEvent']);
    expect(end).toMatchObject({ chatMessage: { type: 'TextMessage', content: 'yes' } });
    expect(prompts).toEqual(['Enter your response: ']);
  });

  it('[USER2] keeps the announcement out of what a condition judges', async () => {
    const judged: string[] = [];
    const team = new RoundRobinGroupChat([proxy().agent], {
      maxTurns: 1,
      terminationCondition: {
        terminated: false,
        call: (messages) => {
          judged.push(...lines(messages));
          return null;
        },
        reset: () => undefined,
      },
    });
    const { messages } = await team.run({ task: 't' });
    expect(judged).toEqual(['TextMessage(user): t', 'TextMessage(user): yes']);
    expect(messages).toHaveLength(3);
  });

  it('[USER3] answers a handoff with a handoff back', async () => {
    const { agent, prompts } = proxy();
    const { chatMessage } = await agent.onMessages([text, handoff('user')]);
    expect(chatMessage).toMatchObject({ type: 'HandoffMessage', target: 'a', content: 'yes' });
    expect(prompts).toEqual(['Handoff received from a. Enter your response: ']);
  });

  it('[USER3] refuses a handoff to another target, naming its source', async () => {
    await expect(proxy().agent.onMessages([handoff('other')])).rejects.toThrow(
      'Failed to get user input: Handoff message target does not match agent name: a',
    );
  });

  it('[USER4] wraps a failure of the input twice, and keeps the cause', async () => {
    const offline = new Error('offline');
    const agent = new UserProxyAgent('user', {
      inputFunc: () => {
        throw offline;
      },
    });
    await expect(agent.onMessages([text])).rejects.toMatchObject({
      name: 'RuntimeError',
      message: 'Failed to get user input: Failed to get user input: offline',
      cause: { cause: offline },
    });
  });

  it.each([undefined, null, 7])('[USER7] takes %j for no answer of a person', async (answer) => {
    const agent = new UserProxyAgent('user', { inputFunc: async () => answer as never });
    await expect(agent.onMessages([text])).rejects.toThrow(
      `the answer has to be a text, received ${answer}`,
    );
  });

  it('[USER5] stops waiting when it is cancelled, whether or not the input function listens', async () => {
    const controller = new AbortController();
    const agent = new UserProxyAgent('user', { inputFunc: () => new Promise(() => undefined) });
    const answer = agent.onMessages([text], { signal: controller.signal });
    controller.abort();
    await expect(answer).rejects.toThrow(CancelledError);
  });
});
