import type { LLMMessage } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { BufferedChatCompletionContext } from '../../src/model-context/buffered-context.ts';
import type { ChatCompletionContext } from '../../src/model-context/chat-completion-context.ts';
import { HeadAndTailChatCompletionContext } from '../../src/model-context/head-and-tail-context.ts';
import { TokenLimitedChatCompletionContext } from '../../src/model-context/token-limited-context.ts';
import { UnboundedChatCompletionContext } from '../../src/model-context/unbounded-context.ts';

const user = (content: string): LLMMessage => ({ type: 'UserMessage', content, source: 'user' });
const call: LLMMessage = {
  type: 'AssistantMessage',
  content: [{ id: '1', name: 'f', arguments: '{}' }],
  source: 'a',
};
const result: LLMMessage = {
  type: 'FunctionExecutionResultMessage',
  content: [{ content: 'ok', name: 'f', callId: '1', isError: false }],
};

/** One letter a message: c a tool call, r its result, anything else a user's word; `+n` says n were skipped. */
async function see(context: ChatCompletionContext, letters: string): Promise<string> {
  for (const letter of letters) {
    await context.addMessage(letter === 'c' ? call : letter === 'r' ? result : user(letter));
  }
  return (await context.getMessages()).map(letterOf).join('');
}

function letterOf(message: LLMMessage): string {
  if (message === call) return 'c';
  if (message === result) return 'r';
  const text = String(message.content);
  return text.replace(/^Skipped (\d+) messages\.$/, '+$1');
}

describe('UnboundedChatCompletionContext', () => {
  it('[MCX1] shows everything, initial messages first', async () => {
    const context = new UnboundedChatCompletionContext({ initialMessages: [user('0')] });
    expect(await see(context, '12cr3')).toBe('012cr3');
  });

  it('[MCX2] forgets the initial messages too when cleared', async () => {
    const context = new UnboundedChatCompletionContext({ initialMessages: [user('0')] });
    await context.clear();
    expect(await see(context, '1')).toBe('1');
  });

  it('[MCX3] is not changed by changing what it handed out', async () => {
    const context = new UnboundedChatCompletionContext();
    await see(context, '1');
    ((await context.getMessages()) as LLMMessage[]).push(user('x'));
    expect(await see(context, '')).toBe('1');
  });
});

describe('BufferedChatCompletionContext', () => {
  it.each([
    ['1234', '34'],
    ['1', '1'],
    ['1cr', 'cr'],
    ['cr', 'cr'],
    ['1cr2', '2'],
  ])('[MCX4] of %s shows the last two, less a leading result: %s', async (letters, seen) => {
    expect(await see(new BufferedChatCompletionContext({ bufferSize: 2 }), letters)).toBe(seen);
  });

  it('[MCX5] refuses a buffer of nothing', () => {
    expect(() => new BufferedChatCompletionContext({ bufferSize: 0 })).toThrow(
      'buffer_size must be greater than 0.',
    );
  });
});

describe('HeadAndTailChatCompletionContext', () => {
  it.each([
    ['123', '123'],
    ['1234', '1+134'],
    ['12345', '1+245'],
    ['12r4', '1+14'],
  ])('[MCX6] of %s shows the first, a note, and the last two: %s', async (letters, seen) => {
    const context = new HeadAndTailChatCompletionContext({ headSize: 1, tailSize: 2 });
    expect(await see(context, letters)).toBe(seen);
  });

  it('[MCX6] leaves out a tool call at the end of the head', async () => {
    const context = new HeadAndTailChatCompletionContext({ headSize: 2, tailSize: 1 });
    expect(await see(context, '1cr2')).toBe('1+12');
  });

  it.each([
    [{ headSize: 0, tailSize: 1 }, 'head_size must be greater than 0.'],
    [{ headSize: 1, tailSize: 0 }, 'tail_size must be greater than 0.'],
  ])('[MCX5] refuses %j', (options, message) => {
    expect(() => new HeadAndTailChatCompletionContext(options)).toThrow(message);
  });
});

describe('TokenLimitedChatCompletionContext', () => {
  const limited = (tokenLimit: number) =>
    new TokenLimitedChatCompletionContext({
      tokenLimit,
      countTokens: (messages) => messages.length,
    });

  it.each([
    ['123', 3, '123'],
    ['12345', 3, '125'],
    ['123456', 2, '16'],
    ['12cr5', 4, '125'],
    ['1cr45', 4, '145'],
  ])('[MCX7] of %s leaves %i by dropping from the middle: %s', async (letters, limit, seen) => {
    expect(await see(limited(limit), letters)).toBe(seen);
  });

  it('[MCX8] ends with nothing when not even one message fits', async () => {
    const context = new TokenLimitedChatCompletionContext({ tokenLimit: 1, countTokens: () => 9 });
    expect(await see(context, '123')).toBe('');
  });

  it('[MCX9] counts the tools along with the messages', async () => {
    const context = new TokenLimitedChatCompletionContext({
      tokenLimit: 3,
      countTokens: (messages, tools) => messages.length + tools.length,
      toolSchema: [{ name: 'f' }],
    });
    expect(await see(context, '123')).toBe('13');
  });
});
