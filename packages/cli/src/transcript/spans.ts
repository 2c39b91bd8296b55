import { BoundedMap } from '@teamfuse/core/kit';
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

/** A message of a prompt. */
interface Prompted {
  readonly role: unknown;
  readonly text: string;
}

const MAX_AGENTS = 100;
const ANSWERS: readonly unknown[] = ['assistant', 'tool', 'model'];
const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** Writes down spans: model calls with what they said, and tool calls. */
export class SpanTeller {
  readonly #transcript: Transcript;
  /** What each agent was asked last. */
  readonly #prompts: BoundedMap<
    string,
    { readonly length: number; readonly last: string | undefined }
  > = new BoundedMap(MAX_AGENTS);
  /** What each agent said last. */
  readonly #said: BoundedMap<string, string> = new BoundedMap(MAX_AGENTS);

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
    const prompt = promptIn(attributes, events);
    if (this.#prompts.size > 0) this.#heard(agent, prompt);
    else {
      const task = prompt.find(({ role }) => role === 'user')?.text;
      if (task !== undefined) this.#transcript.asked('user', task, true);
    }
    this.#prompts.set(agent, { length: prompt.length, last: prompt.at(-1)?.text });
    this.#transcript.used(agent, {
      model: nameIn(attributes['gen_ai.response.model'], attributes['gen_ai.request.model']),
      usage: usageIn(attributes),
    });
    for (const text of outputs(attributes, events)) {
      if (!text) continue;
      this.#transcript.said(agent, text);
      this.#said.set(agent, text);
    }
  }

  /**
   * What stands behind an answer at the end of a prompt was said meanwhile: by nobody whose own spans tell it, and not where the
   * same prompt is sent again. A prompt without an answer is a call of a program, which words it once.
   */
  #heard(agent: string, prompt: readonly Prompted[]): void {
    const before = this.#prompts.get(agent);
    if (before?.last === prompt.at(-1)?.text && prompt.length <= (before?.length ?? 0)) return;
    const end = prompt.findLastIndex((one) => !isAsked(one)) + 1;
    if (!prompt.slice(0, end).some(({ role }) => ANSWERS.includes(role))) return;
    const said = new Set(this.#said.values());
    for (const { text } of prompt.slice(end)) {
      if (!said.has(text)) this.#transcript.said('user', text);
    }
  }
}

/** Older spans have no operation; a model call has a model and usage. */
function operationIn(attributes: Fields): string {
  if (attributes['gen_ai.tool.name'] !== undefined) return 'execute_tool';
  return attributes['gen_ai.request.model'] === undefined ? '' : 'chat';
}

function promptIn(attributes: Fields, events: Span['events']): readonly Prompted[] {
  const messages = recordsOf(parsedJson(attributes['gen_ai.input.messages'] ?? null));
  if (messages.length > 0) return messages.map((one) => ({ role: one.role, text: partsText(one) }));
  return events.flatMap(({ name, attributes: { content, 'gen_ai.prompt': prompt } }) => {
    const [, role] = MESSAGE_EVENT.exec(String(name)) ?? [];
    return role === undefined ? [] : [{ role, text: nameIn(content, prompt) ?? '' }];
  });
}

/** Something said by the user, and no result of a tool in his name. */
function isAsked({ role, text }: Prompted): boolean {
  return role === 'user' && text !== '';
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
