import { textOf } from './content.ts';
import type { Transcript } from './transcript.ts';
import { countOf, type Fields, fieldsOf, nameIn, parsedJson, recordsOf } from './values.ts';

/** A finished span with GenAI attributes. */
export interface Span {
  readonly traceId: unknown;
  readonly spanId: unknown;
  readonly parentSpanId: unknown;
  readonly name: unknown;
  readonly endMs: number;
  readonly attributes: Fields;
  readonly events: readonly { readonly name: unknown; readonly attributes: Fields }[];
  readonly isError: boolean;
  readonly problem: string | undefined;
}

/** Writes down spans: model calls with what they said, and tool calls. */
export class SpanTeller {
  readonly #transcript: Transcript;
  #isTask = true;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  tell(span: Span): void {
    const { attributes } = span;
    const operation = nameIn(attributes['gen_ai.operation.name']) ?? operationIn(attributes);
    if (operation === 'execute_tool') this.#called(span);
    else if (['chat', 'text_completion', 'generate_content'].includes(operation)) this.#spoke(span);
  }

  #called({ attributes, endMs, isError, problem }: Span): void {
    const id = nameIn(attributes['gen_ai.tool.call.id']) ?? '';
    const agent = nameIn(attributes['gen_ai.agent.name']) ?? 'assistant';
    const tool = nameIn(attributes['gen_ai.tool.name']) ?? 'unknown';
    const failure = nameIn(attributes['error.type']);
    this.#transcript.next(endMs);
    const args = attributes['gen_ai.tool.call.arguments'] ?? null;
    this.#transcript.called(id, agent, tool, args);
    const result = attributes['gen_ai.tool.call.result'] ?? '';
    const hasFailed = isError || failure !== undefined;
    const outcome = hasFailed ? (problem ?? failure ?? textOf(result)) : result;
    this.#transcript.returned(id, outcome, { isError: hasFailed });
  }

  #spoke({ attributes, events, endMs }: Span): void {
    const agent = nameIn(attributes['gen_ai.agent.name']) ?? 'assistant';
    this.#transcript.next(endMs);
    const task = this.#isTask ? firstInput(attributes, events) : undefined;
    if (task !== undefined) this.#transcript.asked('user', task, true);
    this.#isTask = false;
    this.#transcript.used(agent, {
      model: nameIn(attributes['gen_ai.response.model'], attributes['gen_ai.request.model']),
      usage: usageIn(attributes),
    });
    for (const text of outputs(attributes, events)) if (text) this.#transcript.said(agent, text);
  }
}

/** Older spans have no operation; a model call has a model and usage. */
function operationIn(attributes: Fields): string {
  if (attributes['gen_ai.tool.name'] !== undefined) return 'execute_tool';
  return attributes['gen_ai.request.model'] === undefined ? '' : 'chat';
}

function firstInput(attributes: Fields, events: Span['events']): string | undefined {
  const messages = recordsOf(parsedJson(attributes['gen_ai.input.messages'] ?? null));
  const user = messages.find(({ role }) => role === 'user');
  if (user !== undefined) return partsText(user);
  const event = events.find(({ name }) => name === 'gen_ai.user.message');
  return event && nameIn(event.attributes.content, event.attributes['gen_ai.prompt']);
}

function outputs(attributes: Fields, events: Span['events']): readonly string[] {
  const messages = recordsOf(parsedJson(attributes['gen_ai.output.messages'] ?? null));
  if (messages.length > 0) return messages.map(partsText);
  return events
    .filter(({ name }) => name === 'gen_ai.choice' || name === 'gen_ai.content.completion')
    .map(({ attributes: { message, content, 'gen_ai.completion': completion } }) => {
      const told = fieldsOf(parsedJson(message ?? null)) ?? {};
      return textOf(told.content ?? content ?? completion ?? '');
    });
}

/** The text of a message in parts; calls among them are told by their own spans. */
function partsText({ parts, content }: Fields): string {
  if (!Array.isArray(parts)) return textOf(content);
  return textOf(recordsOf(parts).filter(({ type }) => type === 'text'));
}

/** Cached tokens are among those of the prompt. */
function usageIn(attributes: Fields): object {
  const count = (...names: readonly string[]): number =>
    countOf(names.map((name) => attributes[`gen_ai.usage.${name}`]).find((one) => one != null));
  return {
    inputTokens: count('input_tokens', 'prompt_tokens'),
    outputTokens: count('output_tokens', 'completion_tokens'),
    cachedInputTokens: count('cache_read.input_tokens', 'cache_read_input_tokens'),
    cacheWriteTokens: count('cache_creation.input_tokens', 'cache_creation_input_tokens'),
  };
}
