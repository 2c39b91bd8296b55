import { describe, expect, it } from 'vitest';
import type { Response } from '../src/base/response.ts';
import type { TaskResult } from '../src/base/task-result.ts';
import { Console, type ConsoleOptions } from '../src/console.ts';
import { MultiModalMessage } from '../src/messages/chat/multi-modal-message.ts';
import { TextMessage } from '../src/messages/chat/text-message.ts';
import type { ChatItem } from '../src/messages/chat-item.ts';
import { ModelClientStreamingChunkEvent } from '../src/messages/events/model-client-streaming-chunk-event.ts';
import { ThoughtEvent } from '../src/messages/events/thought-event.ts';
import { UserInputRequestedEvent } from '../src/messages/events/user-input-requested-event.ts';
import { UserInputManager } from '../src/user-input-manager.ts';

const text = (content: string, usage?: [number, number]) =>
  new TextMessage({
    content,
    source: 'a',
    modelsUsage: usage ? { promptTokens: usage[0], completionTokens: usage[1] } : null,
  });
const chunk = (content: string) => new ModelClientStreamingChunkEvent({ content, source: 'a' });
const result = (messages: ChatItem[] = []): TaskResult => ({ messages, stopReason: 'enough' });

async function* stream(...items: (ChatItem | TaskResult | Response)[]) {
  yield* items;
}

async function printed(
  items: (ChatItem | TaskResult | Response)[],
  options: ConsoleOptions = {},
): Promise<string> {
  let out = '';
  let time = 0;
  await Console(stream(...items), {
    write: (part) => {
      out += part;
    },
    now: () => {
      time += 620;
      return time;
    },
    ...options,
  });
  return out;
}

describe('Console', () => {
  it('[CSL1] prints the kind, the source and the text of each item', async () => {
    const thought = new ThoughtEvent({ content: 'hm', source: 'b' });
    expect(await printed([text('hello'), thought, result()])).toBe(
      '---------- TextMessage (a) ----------\nhello\n---------- ThoughtEvent (b) ----------\nhm\n',
    );
  });

  it('[CSL2] prints chunks on one line under one heading', async () => {
    expect(await printed([chunk('hel'), chunk('lo'), result()])).toBe(
      '---------- ModelClientStreamingChunkEvent (a) ----------\nhello',
    );
  });

  it('[CSL3] prints nothing but a line end for what follows chunks', async () => {
    expect(await printed([chunk('hello'), text('hello'), text('next'), result()])).toBe(
      '---------- ModelClientStreamingChunkEvent (a) ----------\nhello\n' +
        '---------- TextMessage (a) ----------\nnext\n',
    );
  });

  it('[CSL4] prints usage, and a summary of what was shown, when asked for statistics', async () => {
    const items = [text('x', [10, 4]), chunk('y'), text('y', [3, 5])];
    expect(await printed([...items, result(items)], { outputStats: true })).toBe(
      '---------- TextMessage (a) ----------\nx\n[Prompt tokens: 10, Completion tokens: 4]\n' +
        '---------- ModelClientStreamingChunkEvent (a) ----------\ny\n' +
        '[Prompt tokens: 3, Completion tokens: 5]\n' +
        '---------- Summary ----------\nNumber of messages: 3\nFinish reason: enough\n' +
        'Total prompt tokens: 13\nTotal completion tokens: 9\nDuration: 0.62 seconds\n',
    );
  });

  it('[CSL5] prints a response under its source alone', async () => {
    const response = { chatMessage: text('done'), innerMessages: [text('i')] };
    expect(await printed([response])).toBe('---------- a ----------\ndone\n');
  });

  it('[CSL5] counts the inner messages of a response in the summary', async () => {
    const response = { chatMessage: text('done', [1, 2]), innerMessages: [text('i')] };
    expect(await printed([response], { outputStats: true })).toBe(
      '---------- a ----------\ndone\n[Prompt tokens: 1, Completion tokens: 2]\n' +
        '---------- Summary ----------\nNumber of inner messages: 1\n' +
        'Total prompt tokens: 1\nTotal completion tokens: 2\nDuration: 0.62 seconds\n',
    );
  });

  it('[CSL6] says of an image only that it is one', async () => {
    const message = new MultiModalMessage({ content: ['look', { data: 'AAAA' }], source: 'a' });
    expect(await printed([message, result()], { noInlineImages: true })).toBe(
      '---------- MultiModalMessage (a) ----------\nlook\n<image>\n',
    );
  });

  it('[CSL7] returns what the stream ended with', async () => {
    const end = result([text('x')]);
    expect(await Console(stream(end), { write: () => undefined })).toBe(end);
  });

  it('[CSL8] refuses a stream that ends with nothing', async () => {
    await expect(printed([text('x')])).rejects.toThrow('No TaskResult or Response was processed.');
  });

  it('[CSL9] prints nothing for a request for input', async () => {
    const request = new UserInputRequestedEvent({ requestId: 'r1', source: 'u' });
    expect(await printed([request, result()])).toBe('');
  });
});

describe('UserInputManager', () => {
  it('[CSL10] asks only once the console has reached the request', async () => {
    const log: string[] = [];
    const manager = new UserInputManager((prompt) => {
      log.push(`asked ${prompt}`);
      return 'yes';
    });
    const answer = manager.inputFunc('ok?', { requestId: 'r1' });
    await Promise.resolve();
    log.push('shown');
    const request = new UserInputRequestedEvent({ requestId: 'r1', source: 'u' });
    await printed([request, result()], { userInputManager: manager });
    expect(await answer).toBe('yes');
    expect(log).toEqual(['shown', 'asked ok?']);
  });

  it('[CSL10] asks at once when the console is ahead', async () => {
    const manager = new UserInputManager(() => 'yes');
    manager.notifyEventReceived('r1');
    expect(await manager.inputFunc('ok?', { requestId: 'r1' })).toBe('yes');
  });
});
