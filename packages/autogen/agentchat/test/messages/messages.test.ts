import {
  type ChatItem,
  CodeExecutionEvent,
  CodeGenerationEvent,
  HandoffMessage,
  isAgentEvent,
  isChatMessage,
  type JsonObject,
  MemoryQueryEvent,
  MessageFactory,
  ModelClientStreamingChunkEvent,
  MultiModalMessage,
  SelectSpeakerEvent,
  StopMessage,
  StructuredMessage,
  structuredMessageClass,
  TextMessage,
  ThoughtEvent,
  ToolCallExecutionEvent,
  ToolCallRequestEvent,
  ToolCallSummaryMessage,
  UserInputRequestedEvent,
  ValidationError,
} from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';

const call = { id: '1', name: 'f', arguments: '{"x":"1"}' };
const result = { content: 'ok', name: 'f', callId: '1', isError: false };
const fields = {
  source: 'alice',
  id: 'm-1',
  modelsUsage: { promptTokens: 3, completionTokens: 2 },
  metadata: { channel: 'a' },
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
};

type Row = readonly [item: ChatItem, isSaid: boolean, text: string, dumped: JsonObject];

const rows: readonly Row[] = [
  [new TextMessage({ ...fields, content: 'hi' }), true, 'hi', { content: 'hi' }],
  [new StopMessage({ ...fields, content: 'bye' }), true, 'bye', { content: 'bye' }],
  [
    new HandoffMessage({
      ...fields,
      content: 'you',
      target: 'bob',
      context: [
        { type: 'AssistantMessage', content: [call], source: 'alice' },
        { type: 'FunctionExecutionResultMessage', content: [result] },
      ],
    }),
    true,
    'you',
    {
      content: 'you',
      target: 'bob',
      context: [
        { content: [call], thought: null, source: 'alice', type: 'AssistantMessage' },
        {
          content: [{ content: 'ok', name: 'f', call_id: '1', is_error: false }],
          type: 'FunctionExecutionResultMessage',
        },
      ],
    },
  ],
  [
    new ToolCallSummaryMessage({ ...fields, content: 'ok', toolCalls: [call], results: [result] }),
    true,
    'ok',
    {
      content: 'ok',
      tool_calls: [call],
      results: [{ content: 'ok', name: 'f', call_id: '1', is_error: false }],
    },
  ],
  [
    new MultiModalMessage({ ...fields, content: ['look', { data: 'aGk=' }] }),
    true,
    'look\n<image>',
    { content: ['look', { data: 'aGk=' }] },
  ],
  [
    new StructuredMessage({ ...fields, content: { title: 'T', score: 1 }, contentName: 'Report' }),
    true,
    '{"title":"T","score":1}',
    { content: { title: 'T', score: 1 }, format_string: null },
  ],
  [
    new ToolCallRequestEvent({ ...fields, content: [call] }),
    false,
    "[FunctionCall(id='1', arguments='{\"x\":\"1\"}', name='f')]",
    { content: [call] },
  ],
  [
    new ToolCallExecutionEvent({ ...fields, content: [result] }),
    false,
    "[FunctionExecutionResult(content='ok', name='f', call_id='1', is_error=False)]",
    { content: [{ content: 'ok', name: 'f', call_id: '1', is_error: false }] },
  ],
  [
    new MemoryQueryEvent({ ...fields, content: [{ content: 'tea' }] }),
    false,
    "[MemoryContent(content='tea', mime_type='text/plain', metadata=None)]",
    { content: [{ content: 'tea', mime_type: 'text/plain', metadata: null }] },
  ],
  [
    new UserInputRequestedEvent({ ...fields, requestId: 'r-1' }),
    false,
    '',
    { request_id: 'r-1', content: '' },
  ],
  [
    new ModelClientStreamingChunkEvent({ ...fields, content: 'ri', fullMessageId: 'm-2' }),
    false,
    'ri',
    { content: 'ri', full_message_id: 'm-2' },
  ],
  [new ThoughtEvent({ ...fields, content: 'hm' }), false, 'hm', { content: 'hm' }],
  [
    new SelectSpeakerEvent({ ...fields, content: ['a', 'b'] }),
    false,
    "['a', 'b']",
    { content: ['a', 'b'] },
  ],
  [
    new CodeGenerationEvent({
      ...fields,
      content: 'code',
      retryAttempt: 1,
      codeBlocks: [{ code: 'x', language: 'sh' }],
    }),
    false,
    'code',
    { retry_attempt: 1, content: 'code', code_blocks: [{ code: 'x', language: 'sh' }] },
  ],
  [
    new CodeExecutionEvent({ ...fields, retryAttempt: 0, result: { exitCode: 1, output: 'no' } }),
    false,
    'no',
    { retry_attempt: 0, result: { exit_code: 1, output: 'no' } },
  ],
];

describe.each(rows)('%o', (item, isSaid, text, dumped) => {
  const factory = new MessageFactory();
  factory.register(structuredMessageClass('Report'));

  it('[MSG1] is either said or seen', () => {
    expect(isChatMessage(item)).toBe(isSaid);
    expect(isAgentEvent(item)).toBe(!isSaid);
  });

  it('[MSG3] has a text for people', () => {
    expect(item.toText()).toBe(text);
  });

  it('[MSG5] is dumped with the keys of AutoGen, in their order', () => {
    const dump = item.dump();
    expect(dump).toEqual({
      id: 'm-1',
      source: 'alice',
      models_usage: { prompt_tokens: 3, completion_tokens: 2 },
      metadata: { channel: 'a' },
      created_at: '2026-01-02T03:04:05.678Z',
      ...dumped,
      type: item.type,
    });
    expect(Object.keys(dump)).toEqual([
      'id',
      'source',
      'models_usage',
      'metadata',
      'created_at',
      ...Object.keys(dumped),
      'type',
    ]);
    expect(JSON.parse(JSON.stringify(item))).toEqual(dump);
  });

  it('[MSG5] is the same after it was dumped and loaded', () => {
    const loaded = factory.create(JSON.parse(JSON.stringify(item)));
    expect(loaded).toBeInstanceOf(item.constructor);
    expect(loaded.dump()).toEqual(item.dump());
  });
});

describe('messages', () => {
  it('[MSG5] load times with microseconds, and get what is missing', () => {
    const message = new MessageFactory().create({
      type: 'TextMessage',
      source: 'a',
      content: 'x',
      created_at: '2026-01-02T03:04:05.678901Z',
      unknown: true,
    });
    expect(message.createdAt.toISOString()).toBe('2026-01-02T03:04:05.678Z');
    expect(message.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(message).toMatchObject({ modelsUsage: null, metadata: {} });
  });

  it('[MSG5] name what is wrong with their JSON', () => {
    const load = (): unknown => TextMessage.load({ source: 3, content: 'x' });
    expect(load).toThrow(ValidationError);
    expect(load).toThrow(/^1 validation error for TextMessage\nsource\n/);
  });

  it('[MSG2] of one family are siblings', () => {
    const [text, stop] = [rows[0]?.[0], rows[1]?.[0]];
    expect(text).toBeInstanceOf(TextMessage);
    expect(stop).not.toBeInstanceOf(TextMessage);
  });

  it('[MSG4] are said to a model as a user’s, with their source', () => {
    const [first] = rows[0] as Row;
    expect(isChatMessage(first) && first.toModelMessage()).toEqual({
      type: 'UserMessage',
      content: 'hi',
      source: 'alice',
    });
  });

  it('[MSG4] put images into words, or into base64', () => {
    const message = new MultiModalMessage({ source: 'a', content: ['look:', { data: 'aGk=' }] });
    expect(message.toModelText()).toBe('look: [image]');
    expect(message.toModelText(null)).toBe('look: aGk=');
  });

  it('[MSG4] show data as their format string says, and as JSON to a model', () => {
    const message = new StructuredMessage({
      source: 'a',
      content: { title: 'T', score: 1 },
      contentName: 'Report',
      formatString: '{title}={score}',
    });
    expect(message.toText()).toBe('T=1');
    expect(message.toModelText()).toBe('T=1');
    expect(message.toModelMessage().content).toBe('{"title":"T","score":1}');
  });
});
