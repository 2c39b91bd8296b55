import { type Fields, fieldsOf, limitIn, nameIn, recordsOf, textOf } from '../fields.ts';
import type { Item } from '../item.ts';
import { isForModel, userSays } from './for-model.ts';
import type { AnswerReader, Problem, WireAnswer, WireFormat } from './format.ts';
import { pieceOf } from './piece.ts';
import { sessionIn } from './user-id.ts';

const REFUSED_ID = 'resp_refused';
const MESSAGE_ID = 'msg_refused';
/** What the events of a stream add a piece to, by their types. */
const PARTS = [
  [/^response\.(output_text|refusal)\.delta$/, 'text'],
  [/^response\.reasoning.*\.delta$/, 'thought'],
  [/^response\..*(arguments|input|code)\.delta$/, 'arguments'],
] as const;
const ENDS: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** OpenAI's Responses. */
export const responses: WireFormat = {
  id: 'responses',
  path: /\/responses$/i,
  keyHeader: 'authorization',
  readRequest(body) {
    const { input, instructions } = body;
    const system: Item[] = nameIn(instructions)
      ? [{ kind: 'text', role: 'system', text: String(instructions) }]
      : [];
    const keptAs = nameIn(fieldsOf(body.conversation).id, body.conversation);
    // A prompt that the server keeps needs no input.
    const asked = input ?? body.prompt;
    const said = Array.isArray(asked)
      ? recordsOf(asked).flatMap(itemsOf)
      : [{ kind: 'text', role: 'user', text: textOf(asked) } as const].filter(({ text }) => text);
    return {
      model: nameIn(body.model) ?? 'unknown',
      items: [...system, ...said],
      maxOutputTokens: limitIn(body.max_output_tokens),
      isStreamed: body.stream === true,
      user: nameIn(body.user, body.safety_identifier),
      session: sessionIn(body.prompt_cache_key),
      previousId: nameIn(body.previous_response_id) ?? keptAs,
      keptAs,
    };
  },
  historyAt: () => ['input'],
  limitAt: () => ['max_output_tokens'],
  isForModel,
  userSays,
  readAnswer: (body) => ({
    id: nameIn(body.id),
    items: recordsOf(body.output).flatMap(itemsOf),
    usage: body,
    isComplete: body.status === 'completed' || body.status === 'incomplete',
  }),
  question: ({ model, system, user }) => ({
    model,
    instructions: system,
    input: user,
    store: false,
  }),
  streamReader: () => new EventReader(),
  piecesOf: ({ type, output_index, delta }) => {
    const kind = PARTS.find(([name]) => name.test(String(type)))?.[1];
    return kind === undefined ? [] : pieceOf(`${kind} ${output_index}`, delta);
  },
  error,
  errorEvent: (problem) => ({
    event: 'error',
    data: {
      type: 'error',
      code: problem.code,
      message: problem.text,
      param: null,
      ...error(problem),
    },
  }),
  answer: ({ model, text }) => response(model, 'completed', [message('completed', text)]),
  answerEvents: ({ model, text }) => {
    const item_id = MESSAGE_ID;
    const at = { item_id, output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text, annotations: [] };
    const events: readonly { readonly type: string }[] = [
      { type: 'response.created', response: response(model, 'in_progress', []) } as {
        type: string;
      },
      { type: 'response.in_progress', response: response(model, 'in_progress', []) } as {
        type: string;
      },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...message('in_progress', ''), content: [] },
      } as { type: string },
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } } as {
        type: string;
      },
      { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] } as { type: string },
      { type: 'response.output_text.done', ...at, text, logprobs: [] } as { type: string },
      { type: 'response.content_part.done', ...at, part } as { type: string },
      { type: 'response.output_item.done', output_index: 0, item: message('completed', text) } as {
        type: string;
      },
      {
        type: 'response.completed',
        response: response(model, 'completed', [message('completed', text)]),
      } as { type: string },
    ];
    return events.map((event, sequence_number) => ({
      event: event.type,
      data: { ...event, sequence_number },
    }));
  },
};

function error({ text, type, code, kind }: Problem): object {
  return { error: { message: text, type, param: null, code, kind } };
}

function message(status: string, text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: MESSAGE_ID, type: 'message', role: 'assistant', status, content };
}

function response(model: string, status: string, output: readonly object[]): object {
  const usage = {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  };
  return {
    id: REFUSED_ID,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status,
    model,
    output,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: status === 'completed' ? usage : null,
  };
}

/** The items of one entry of `input` or `output`. */
function itemsOf(entry: Fields): readonly Item[] {
  const { type, role } = entry;
  const id = nameIn(entry.call_id, entry.id) ?? '';
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      return [
        {
          kind: 'call',
          id,
          tool: nameIn(entry.name) ?? 'unknown',
          args: entry.arguments ?? entry.input ?? null,
        },
      ];
    case 'local_shell_call':
    case 'shell_call':
      return [{ kind: 'call', id, tool: 'shell', args: entry.action ?? null }];
    case 'computer_call':
      return [{ kind: 'call', id, tool: 'computer', args: entry.action ?? entry.actions ?? null }];
    case 'apply_patch_call':
      return [{ kind: 'call', id, tool: 'apply_patch', args: entry.operation ?? null }];
    case 'shell_call_output':
      return [{ kind: 'result', id, text: JSON.stringify(entry.output ?? null), isError: false }];
    case 'apply_patch_call_output':
      return [
        { kind: 'result', id, text: textOf(entry.output), isError: entry.status === 'failed' },
      ];
    case 'computer_call_output':
      return [{ kind: 'result', id, text: textOf([entry.output]), isError: false }];
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return [
        { kind: 'result', id, text: textOf(entry.output), isError: entry.status === 'incomplete' },
      ];
    case 'mcp_call':
      return [
        { kind: 'call', id, tool: nameIn(entry.name) ?? 'unknown', args: entry.arguments ?? null },
        { kind: 'result', id, text: textOf(entry.error ?? entry.output), isError: !!entry.error },
      ];
    case 'message':
    case undefined:
      if (typeof role !== 'string') return [];
      return [{ kind: 'text', role: roleOf(role), text: textOf(entry.content) }];
    default:
      // Reasoning and references: nothing was said or done.
      return [];
  }
}

function roleOf(role: string): 'system' | 'user' | 'assistant' {
  if (role === 'system' || role === 'developer') return 'system';
  return role === 'assistant' ? 'assistant' : 'user';
}

class EventReader implements AnswerReader {
  #response: Fields = {};
  #isComplete = false;
  readonly #items: Fields[] = [];
  #text = '';

  add(event: Fields): void {
    const { type } = event;
    if (type === 'response.output_item.done') {
      this.#items.push(fieldsOf(event.item));
      this.#text = '';
    } else if (type === 'response.output_text.delta' || type === 'response.refusal.delta') {
      this.#text += nameIn(event.delta) ?? '';
    }
    if (event.response === undefined) return;
    this.#response = fieldsOf(event.response);
    if (ENDS.includes(type)) this.#isComplete = true;
  }

  get answer(): WireAnswer {
    const whole = recordsOf(this.#response.output);
    const items = (whole.length > 0 ? whole : this.#items).flatMap(itemsOf);
    const begun: readonly Item[] =
      this.#text === '' ? [] : [{ kind: 'text', role: 'assistant', text: this.#text }];
    return {
      id: nameIn(this.#response.id),
      items: whole.length > 0 ? items : [...items, ...begun],
      usage: this.#response,
      isComplete: this.#isComplete,
    };
  }
}
