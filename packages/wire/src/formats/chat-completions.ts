import { countIn, type Fields, fieldsOf, limitIn, nameIn, recordsOf, textOf } from '../fields.ts';
import type { CallItem, Item } from '../item.ts';
import { isForModel, userSays } from './for-model.ts';
import type { AnswerReader, Piece, Problem, WireAnswer, WireFormat } from './format.ts';
import { pieceOf } from './piece.ts';
import { sessionIn } from './user-id.ts';

/** More answers are not to be had at once. */
const MAX_OTHERS = 127;
const REFUSED_ID = 'chatcmpl-refused';

/** OpenAI's Chat Completions, as most other servers speak it too. */
export const chatCompletions: WireFormat = {
  id: 'chat-completions',
  path: /\/chat\/completions$/i,
  keyHeader: 'authorization',
  readRequest(body) {
    if (!Array.isArray(body.messages)) return undefined;
    return {
      model: nameIn(body.model) ?? 'unknown',
      items: recordsOf(body.messages).flatMap((message, at, all) =>
        itemsOf(message, shownAfter(all, at)),
      ),
      maxOutputTokens: limitIn(body.max_completion_tokens, body.max_tokens),
      isStreamed: body.stream === true,
      user: nameIn(body.user, body.safety_identifier),
      session: sessionIn(body.prompt_cache_key),
      previousId: undefined,
    };
  },
  historyAt: () => ['messages'],
  limitAt: ({ max_tokens }) => [max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens'],
  isForModel,
  userSays,
  readAnswer(body) {
    const [choice, ...others] = recordsOf(body.choices);
    const itemsIn = (one: Fields | undefined): readonly Item[] =>
      itemsOf({ ...fieldsOf(one?.message), role: 'assistant' });
    return {
      id: undefined,
      items: itemsIn(choice),
      others: others.slice(0, MAX_OTHERS).map(itemsIn),
      usage: body,
      isComplete: choice !== undefined,
    };
  },
  question: ({ model, system, user }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  }),
  streamReader: () => new ChunkReader(),
  piecesOf: ({ choices }) => recordsOf(choices).flatMap(piecesOfChoice),
  error,
  errorEvent: (problem) => ({ data: error(problem) }),
  answer: ({ model, text }) => ({
    ...head(model, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  }),
  answerEvents: ({ model, text }) => {
    const chunk = (delta: object, finish_reason: string | null): object => ({
      ...head(model, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    return [
      { data: chunk({ role: 'assistant', content: text }, null) },
      { data: chunk({}, 'stop') },
      { data: '[DONE]' },
    ];
  },
};

function error({ text, type, code, kind }: Problem): object {
  return { error: { message: text, type, param: null, code, kind } };
}

function piecesOfChoice({ index, delta }: Fields): readonly Piece[] {
  const { content, refusal, reasoning_content, reasoning, tool_calls } = fieldsOf(delta);
  const which = countIn(index) ?? 0;
  const calls = recordsOf(tool_calls).map((call) => ({
    ...fieldsOf(call.custom),
    ...fieldsOf(call.function),
    index: call.index,
  })) as readonly Fields[];
  return [
    ...pieceOf(`text ${which}`, content, refusal),
    ...pieceOf(`thought ${which}`, reasoning_content, reasoning),
    ...calls.flatMap(({ index: at, arguments: args, input }) =>
      pieceOf(`arguments ${which} ${at}`, args, input),
    ),
  ];
}

function head(model: string, object: string): object {
  return { id: REFUSED_ID, object, created: Math.floor(Date.now() / 1000), model };
}

/** What a harness shows after a result, which can hold no pictures itself: the parts of the next message that are no text. */
function shownAfter(messages: readonly Fields[], at: number): readonly unknown[] {
  const next = messages[at + 1];
  if (next?.role !== 'user' || !Array.isArray(next.content)) return [];
  return next.content.filter((part) => part !== null && !('text' in Object(part)));
}

/** The items of one message, in the order of the history; `shown` belongs to it if it is a result. */
function itemsOf(message: Fields, shown: readonly unknown[] = []): readonly Item[] {
  const { role, content } = message;
  const name = nameIn(message.name);
  if (role === 'tool' || role === 'function') {
    const id = nameIn(message.tool_call_id) ?? '';
    const text = [textOf(content), textOf(shown)].filter(Boolean).join('\n');
    return [{ kind: 'result', id, text, isError: false, tool: name }];
  }
  const calls = callsIn(message);
  const text = textOf(content) || (nameIn(message.refusal) ?? '');
  if (text === '' && calls.length > 0) return calls;
  const author = role === 'assistant' ? 'assistant' : 'user';
  const isInstruction = role === 'system' || role === 'developer';
  return [{ kind: 'text', role: isInstruction ? 'system' : author, name, text }, ...calls];
}

function callsIn({ tool_calls, function_call }: Fields): readonly CallItem[] {
  const single = fieldsOf(function_call);
  const all = [
    ...recordsOf(tool_calls),
    ...(nameIn(single.name) ? [{ id: '', function: single }] : []),
  ];
  return all.map((call: Fields) => {
    const {
      name,
      arguments: args,
      input,
    } = { ...fieldsOf(call.custom), ...fieldsOf(call.function) } as Fields;
    return {
      kind: 'call',
      id: nameIn(call.id) ?? '',
      tool: nameIn(name) ?? 'unknown',
      args: args ?? input ?? null,
    };
  });
}

class ChunkReader implements AnswerReader {
  /** What tells the usage, and how it is charged. */
  #charged: Fields = {};
  readonly #first = new ChoiceReader();
  readonly #others = new Map<number, ChoiceReader>();

  add(chunk: Fields): void {
    const { usage, model, service_tier } = chunk;
    this.#charged = {
      usage: usage ?? this.#charged.usage,
      model: model ?? this.#charged.model,
      service_tier: service_tier ?? this.#charged.service_tier,
    };
    for (const choice of recordsOf(chunk.choices)) this.#readerOf(choice)?.add(choice);
  }

  get answer(): WireAnswer {
    return {
      id: undefined,
      items: this.#first.items,
      others: [...this.#others.values()].map(({ items }) => items),
      usage: this.#charged,
      isComplete: this.#first.isComplete,
    };
  }

  #readerOf({ index }: Fields): ChoiceReader | undefined {
    const at = countIn(index) ?? 0;
    if (at === 0) return this.#first;
    if (!this.#others.has(at) && this.#others.size < MAX_OTHERS) {
      this.#others.set(at, new ChoiceReader());
    }
    return this.#others.get(at);
  }
}

/** A call as far as it has come. */
interface StreamedCall {
  id: string;
  tool: string;
  args: string;
}

/** Puts one of the answers together. */
class ChoiceReader {
  #text = '';
  #isComplete = false;
  readonly #calls: StreamedCall[] = [];
  /** The latest call of each index. */
  readonly #latest = new Map<number, StreamedCall>();

  add(choice: Fields): void {
    if (nameIn(choice.finish_reason)) this.#isComplete = true;
    const delta = fieldsOf(choice.delta);
    this.#text += nameIn(delta.content, delta.refusal) ?? '';
    for (const piece of recordsOf(delta.tool_calls)) this.#addToCall(piece);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get items(): readonly Item[] {
    const calls = this.#calls.map((call): Item => ({ kind: 'call', ...call }));
    const isText = this.#text !== '' || calls.length === 0;
    const said: Item = { kind: 'text', role: 'assistant', text: this.#text };
    return isText ? [said, ...calls] : calls;
  }

  #addToCall(piece: Fields): void {
    const at = countIn(piece.index) ?? 0;
    const called: Fields = { ...fieldsOf(piece.custom), ...fieldsOf(piece.function) };
    const [id = '', tool = ''] = [nameIn(piece.id), nameIn(called.name)];
    const args = nameIn(called.arguments, called.input) ?? '';
    const call = this.#latest.get(at);
    // Some servers give all calls of an answer one index, or none.
    const isOther = id !== '' && tool !== '' && id !== call?.id;
    if (call === undefined || isOther) {
      const begun = { id, tool, args };
      this.#calls.push(begun);
      this.#latest.set(at, begun);
    } else {
      call.id = id || call.id;
      call.tool += tool;
      call.args += args;
    }
  }
}
