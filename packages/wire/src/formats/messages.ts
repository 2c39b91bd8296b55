import { countIn, type Fields, fieldsOf, limitIn, nameIn, recordsOf, textOf } from '../fields.ts';
import type { Item } from '../item.ts';
import { modelAt } from './address.ts';
import { isForModel, userSays } from './for-model.ts';
import type { AnswerReader, Problem, WireAnswer, WireFormat } from './format.ts';
import { pieceOf } from './piece.ts';
import { readUserId } from './user-id.ts';

const REFUSED_ID = 'msg_refused';
/** The most tokens of an answer to a question beside the conversation. */
const MAX_ANSWER = 1_024;
/** A call, whoever runs it: the caller, the server, or a server of MCP that it asks. */
const CALL = /(?:^|_)tool_use$/;
/** What a model thinks is not said. */
const THOUGHTS: readonly unknown[] = ['thinking', 'redacted_thinking'];

/** Anthropic's Messages. */
export const messages: WireFormat = {
  id: 'messages',
  // Vertex AI names the model in the path.
  path: /\/messages$|\/anthropic\/models\/(?!count-tokens)[^/]+:(?:stream)?rawpredict$/i,
  keyHeader: 'x-api-key',
  readRequest(body, url) {
    if (!Array.isArray(body.messages)) return undefined;
    const { user, session } = readUserId(fieldsOf(body.metadata).user_id);
    const system = textOf(body.system);
    const systemItems: readonly Item[] =
      system === '' ? [] : [{ kind: 'text', role: 'system', text: system }];
    return {
      model: nameIn(body.model) ?? modelAt(url) ?? 'unknown',
      items: [...systemItems, ...recordsOf(body.messages).flatMap(itemsOf)],
      maxOutputTokens: limitIn(body.max_tokens),
      isStreamed: body.stream === true,
      user,
      session,
      previousId: undefined,
    };
  },
  historyAt: () => ['messages'],
  limitAt: () => ['max_tokens'],
  isForModel,
  userSays,
  readAnswer: (body) => ({
    id: undefined,
    items: itemsOf({ role: 'assistant', content: body.content }),
    usage: body,
    isComplete: nameIn(body.stop_reason) !== undefined,
  }),
  question: ({ model, system, user }) => ({
    model,
    max_tokens: MAX_ANSWER,
    system,
    messages: [{ role: 'user', content: user }],
  }),
  streamReader: () => new EventReader(),
  piecesOf: ({ type, index, delta }) => {
    if (type !== 'content_block_delta') return [];
    const { text, thinking, partial_json } = fieldsOf(delta);
    return [
      ...pieceOf('text', text),
      ...pieceOf('thought', thinking),
      ...pieceOf(`arguments ${index}`, partial_json),
    ];
  },
  error,
  errorEvent: (problem) => ({ event: 'error', data: error(problem) }),
  answer: ({ model, text }) => ({
    ...message(model),
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  }),
  answerEvents: ({ model, text }) => {
    const events: readonly ({ readonly type: string } & Fields)[] = [
      { type: 'message_start', message: message(model) },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 0 },
      },
      { type: 'message_stop' },
    ];
    return events.map((data) => ({ event: data.type, data }));
  },
};

function error({ text, type, kind }: Problem): object {
  return { type: 'error', error: { type, message: text, kind } };
}

function message(model: string): object {
  return {
    id: REFUSED_ID,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

function isCall(type: unknown): boolean {
  return typeof type === 'string' && CALL.test(type);
}

/** The items of one message: runs of what is said, with calls and results between them. */
function itemsOf({ role, content }: Fields): readonly Item[] {
  const author = role === 'assistant' ? 'assistant' : 'user';
  if (!Array.isArray(content)) return [{ kind: 'text', role: author, text: textOf(content) }];
  const items: Item[] = [];
  let said: unknown[] = [];
  const endText = (): void => {
    if (said.length > 0) items.push({ kind: 'text', role: author, text: textOf(said) });
    said = [];
  };
  for (const block of content) {
    const { type, id, tool_use_id, name, input, content: result, is_error } = fieldsOf(block);
    if (isCall(type)) {
      endText();
      items.push({
        kind: 'call',
        id: nameIn(id) ?? '',
        tool: nameIn(name) ?? 'unknown',
        args: input ?? null,
      });
    } else if (nameIn(tool_use_id) !== undefined) {
      endText();
      items.push({
        kind: 'result',
        id: String(tool_use_id),
        text: textOf(result),
        isError: is_error === true,
      });
    } else if (!THOUGHTS.includes(type)) {
      said.push(block);
    }
  }
  endText();
  return items;
}

/** The fields that say something: later events may leave out what earlier ones told. */
function known(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

class EventReader implements AnswerReader {
  #message: Fields = {};
  #usage: Fields = {};
  #isComplete = false;
  readonly #blocks = new Map<number, Fields & { text: string }>();

  add(event: Fields): void {
    const at = countIn(event.index) ?? 0;
    switch (event.type) {
      case 'message_start':
        this.#message = fieldsOf(event.message);
        this.#usage = fieldsOf(this.#message.usage);
        break;
      case 'content_block_start':
        this.#blocks.set(at, { ...fieldsOf(event.content_block), text: '' });
        break;
      case 'content_block_delta': {
        const block = this.#blocks.get(at);
        const { text, partial_json } = fieldsOf(event.delta);
        if (block !== undefined) block.text += nameIn(text, partial_json) ?? '';
        break;
      }
      case 'message_delta':
        this.#usage = { ...this.#usage, ...known(fieldsOf(event.usage)) };
        if (nameIn(fieldsOf(event.delta).stop_reason)) this.#isComplete = true;
        break;
    }
  }

  get answer(): WireAnswer {
    const content = [...this.#blocks.values()].map((block) =>
      isCall(block.type) ? { ...block, input: block.text || block.input } : block,
    );
    return {
      id: undefined,
      items: itemsOf({ role: 'assistant', content }),
      usage: { model: this.#message.model, usage: this.#usage },
      isComplete: this.#isComplete,
    };
  }
}
