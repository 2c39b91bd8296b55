import type { CreateResult, FinishReason, RequestUsage } from '../client.ts';
import type { FunctionCall } from '../messages.ts';
import {
  type Field,
  fieldOf,
  items,
  optionalText,
  record,
  text,
  unexpected,
} from './wire-fields.ts';
import { readUsage } from './wire-usage.ts';

/** What an answer said, however it arrived. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly FunctionCall[];
  readonly reasoning: string;
  readonly finishReason: string | undefined;
  readonly usage: RequestUsage;
}

/** Reads a complete answer from any server: its shape is not trusted. */
export function readCompletion(completion: unknown): Answer {
  const whole = { path: '', value: completion };
  const choices = fieldOf(whole, 'choices');
  const [choice] = items(choices);
  if (choice === undefined) throw unexpected(choices, 'a list that is not empty');
  const message = fieldOf(choice, 'message');
  return {
    text: textOf(message),
    calls: items(fieldOf(message, 'tool_calls')).map(readCall),
    reasoning: reasoningOf(message),
    finishReason: optionalText(fieldOf(choice, 'finish_reason')),
    usage: readUsage(fieldOf(whole, 'usage').value),
  };
}

/** Turns an answer into the result of a call. */
export function toCreateResult({
  text,
  calls,
  reasoning,
  finishReason,
  usage,
}: Answer): CreateResult {
  const thought = reasoning || (calls.length > 0 ? text : '');
  return {
    finishReason: calls.length > 0 ? 'function_calls' : toFinishReason(finishReason),
    content: calls.length > 0 ? calls : text,
    usage,
    cached: false,
    ...(thought !== '' && { thought }),
  };
}

/** The words of a message, or of a piece of one. */
export function textOf(message: Field): string {
  const content = optionalText(fieldOf(message, 'content'));
  return content ?? optionalText(fieldOf(message, 'refusal')) ?? '';
}

/** The reasoning text that DeepSeek, vLLM, OpenRouter and others send next to the content. */
export function reasoningOf(message: Field): string {
  const { reasoning_content, reasoning } = record(message);
  return [reasoning_content, reasoning].find((value) => typeof value === 'string') ?? '';
}

/** The name of a function, which cannot be empty. */
export function nameOf(field: Field): string {
  const name = text(field);
  if (name === '') throw unexpected(field, 'the name of a function');
  return name;
}

function readCall(call: Field): FunctionCall {
  const type = fieldOf(call, 'type');
  if (type.value !== 'function') throw unexpected(type, "'function'");
  const called = fieldOf(call, 'function');
  return {
    id: text(fieldOf(call, 'id')),
    name: nameOf(fieldOf(called, 'name')),
    arguments: text(fieldOf(called, 'arguments')),
  };
}

function toFinishReason(reason: string | undefined): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content_filter':
      return reason;
    default:
      return 'unknown';
  }
}
