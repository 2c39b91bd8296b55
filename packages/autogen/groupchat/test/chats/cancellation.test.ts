import { PassThrough } from 'node:stream';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, test } from 'vitest';
import {
  Agent,
  type ConversableAgent,
  type ConversableAgentOptions,
  GroupChat,
  GroupChatManager,
  type InitiateChatOptions,
  StreamIO,
} from '../../src/index.ts';
import { lines, script, speaker, TestIO } from '../cast.ts';

const CALL = {
  tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }],
};

/** Something that is waited for in vain, and says when that begins. */
class Wait {
  readonly begun: Promise<void>;
  signal: AbortSignal | undefined;
  #begin: () => void = () => {};

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  enter = (signal?: AbortSignal): Promise<never> => {
    this.signal = signal;
    this.#begin();
    return new Promise(() => {});
  };
}

class HangingClient extends ReplayChatCompletionClient {
  readonly #wait: Wait;

  constructor(wait: Wait) {
    super([]);
    this.#wait = wait;
  }

  override create(...[, options]: Parameters<ReplayChatCompletionClient['create']>) {
    return this.#wait.enter(options?.signal);
  }
}

const KINDS = ['model', 'tool', 'code', 'person', 'reply function', 'hook'] as const;

/** An agent whose answer does not come. */
function hanging(kind: (typeof KINDS)[number], wait: Wait): ConversableAgent {
  const options = (): Partial<ConversableAgentOptions> => {
    switch (kind) {
      case 'model':
        return { llmConfig: { client: new HangingClient(wait) } };
      case 'tool':
        return { functionMap: { look: (_, given) => wait.enter(given?.signal) } };
      case 'code':
        return {
          codeExecutionConfig: {
            executor: { executeCodeBlocks: (_, given) => wait.enter(given?.signal) },
          },
        };
      case 'person':
        return {
          humanInputMode: 'ALWAYS',
          io: Object.assign(new TestIO(), {
            input: (_: string, given?: { readonly signal?: AbortSignal }) =>
              wait.enter(given?.signal),
          }),
        };
      default:
        return {};
    }
  };
  const agent = speaker('slow', options());
  if (kind === 'reply function') agent.registerReply([Agent, null], () => wait.enter());
  if (kind === 'hook') agent.registerHook('processAllMessagesBeforeReply', () => wait.enter());
  return agent;
}

function messageFor(kind: (typeof KINDS)[number]): NonNullable<InitiateChatOptions['message']> {
  if (kind === 'tool') return { content: null, ...CALL };
  return kind === 'code' ? '```sh\nsleep 9\n```' : 'hello';
}

describe.each(KINDS)('a chat that waits for a %s', (kind) => {
  test('[CAN1] ends when its signal aborts, and gives its result', async () => {
    const wait = new Wait();
    const controller = new AbortController();
    const chat = speaker('A').initiateChat(hanging(kind, wait), {
      message: messageFor(kind),
      signal: controller.signal,
    });
    await wait.begun;
    controller.abort(new Error('enough'));
    const { chatHistory, stopKind, stopReason } = await chat;
    expect(chatHistory).toHaveLength(1);
    expect([stopKind, stopReason]).toEqual(['cancelled', 'the chat was cancelled: enough']);
    if (kind !== 'reply function' && kind !== 'hook') expect(wait.signal?.aborted).toBe(true);
  });

  test('[CAN2] ends when its time is up', async () => {
    const { stopKind, stopReason } = await speaker('A').initiateChat(hanging(kind, new Wait()), {
      message: messageFor(kind),
      timeoutMs: 20,
    });
    expect([stopKind, stopReason]).toEqual([
      'timeout',
      'the chat did not end within 20 ms (timeoutMs)',
    ]);
  });
});

describe('a cancelled chat', () => {
  test('[CAN1] begins nothing when its signal has aborted before', async () => {
    const b = speaker('B');
    const { chatHistory, stopKind } = await speaker('A').initiateChat(b, {
      message: 'hello',
      signal: AbortSignal.abort(),
    });
    expect([chatHistory, stopKind]).toEqual([[], 'cancelled']);
  });

  test('[CAN1] takes no further turn', async () => {
    const wait = new Wait();
    const controller = new AbortController();
    const [a, b] = [speaker('A'), hanging('model', wait)];
    const chat = a.initiateChat(b, {
      message: 'hello',
      maxTurns: 9,
      signal: controller.signal,
    });
    await wait.begun;
    controller.abort();
    expect((await chat).chatHistory).toHaveLength(1);
  });

  test('[CAN2] tells a signal that is a time-out from others', async () => {
    const { stopKind } = await speaker('A').initiateChat(hanging('model', new Wait()), {
      message: 'hello',
      signal: AbortSignal.timeout(10),
    });
    expect(stopKind).toBe('timeout');
  });

  test('[CAN3] is cancelled with all members of its group', async () => {
    const slow = hanging('model', new Wait());
    const groupchat = new GroupChat({
      agents: [speaker('B'), slow],
      speakerSelectionMethod: 'round_robin',
    });
    const manager = new GroupChatManager({ groupchat, io: new TestIO(), silent: true });
    const { stopKind } = await speaker('A').initiateChat(manager, {
      message: 'hello',
      timeoutMs: 20,
    });
    expect(stopKind).toBe('timeout');
    expect(lines(groupchat.messages)).toEqual(['A: hello', 'B: I am B']);
  });

  test('[CAN3] is cancelled with the chats inside it', async () => {
    const b = speaker('B');
    b.registerNestedChats([{ recipient: hanging('tool', new Wait()), message: CALL }], Agent);
    const chat = speaker('A').initiateChat(b, { message: 'hello', timeoutMs: 20 });
    expect((await chat).stopKind).toBe('timeout');
  });

  test('[CAN3] leaves the chat around it alone', async () => {
    const b = speaker('B');
    const nested = { recipient: hanging('model', new Wait()), message: 'help', timeoutMs: 20 };
    b.registerNestedChats([nested], Agent);
    const { chatHistory, stopKind } = await speaker('A').initiateChat(b, {
      message: 'hello',
      maxTurns: 1,
    });
    expect(stopKind).toBe('max_turns');
    expect(lines(chatHistory)).toEqual(['A: hello', 'B: help']);
  });

  test('[CAN3] leaves the next chat of its agents alone', async () => {
    const [a, b] = [speaker('A'), hanging('model', new Wait())];
    await a.initiateChat(b, { message: 'hello', timeoutMs: 20 });
    const { stopKind } = await a.initiateChat(script('C', 'yes'), { message: 'x', maxTurns: 1 });
    expect(stopKind).toBe('max_turns');
  });

  test('[CAN4] asks nobody any more on the console', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const io = new StreamIO(
      () => input,
      () => output,
    );
    const person = speaker('person', { humanInputMode: 'ALWAYS', io });
    await speaker('A').initiateChat(person, { message: 'hello', timeoutMs: 20 });
    const next = io.input('And now? ');
    input.write('this one\n');
    await expect(next).resolves.toBe('this one');
  });
});

describe('limits of a chat', () => {
  test.each([[0], [-1], [Number.NaN], [2 ** 31], ['9']])('[GOP1] %j ms', async (timeoutMs) => {
    const chat = speaker('A').initiateChat(speaker('B'), {
      message: 'x',
      timeoutMs: timeoutMs as number,
    });
    await expect(chat).rejects.toThrow("option 'timeoutMs': expected a number of milliseconds");
  });

  test('[GOP1] a signal that is none', async () => {
    const chat = speaker('A').initiateChat(speaker('B'), { message: 'x', signal: {} as never });
    await expect(chat).rejects.toThrow("option 'signal': expected an AbortSignal");
  });
});
