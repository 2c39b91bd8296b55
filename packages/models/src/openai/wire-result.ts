import type { OpenAI } from 'openai';
import type { CreateResult, FinishReason, RequestUsage } from '../client.ts';
import { ModelClientError } from '../errors.ts';
import type { FunctionCall } from '../messages.ts';

/** What an answer said, however it arrived. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly FunctionCall[];
  readonly reasoning: string;
  readonly finishReason: string | null | undefined;
  readonly usage: OpenAI.CompletionUsage | null | undefined;
}

/** Reads a whole answer. The server may be anybody's, so nothing about its shape is taken for granted. */
export function readCompletion(completion: OpenAI.ChatCompletion): Answer {
  const choice = completion?.choices?.[0];
  if (!choice?.message) throw badResponse('it has no choices[0].message');
  const { message } = choice;
  return {
    text: message.content ?? message.refusal ?? '',
    calls: (message.tool_calls ?? []).map((call) => {
      if (call.type !== 'function' || !call.function)
        throw badResponse('a tool call has no function');
      const { name, arguments: args } = call.function;
      return { id: call.id, name, arguments: args };
    }),
    reasoning: reasoningOf(message),
    finishReason: choice.finish_reason,
    usage: completion.usage,
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
    usage: toUsage(usage),
    cached: false,
    ...(thought !== '' && { thought }),
  };
}

/** The reasoning text that DeepSeek, vLLM, OpenRouter and others send next to the content. */
export function reasoningOf(message: object): string {
  if ('reasoning_content' in message && typeof message.reasoning_content === 'string') {
    return message.reasoning_content;
  }
  if ('reasoning' in message && typeof message.reasoning === 'string') return message.reasoning;
  return '';
}

/** An answer came and cannot be understood. */
export function badResponse(what: string, cause?: unknown): ModelClientError {
  return new ModelClientError('BAD_RESPONSE', `the model server's answer is malformed: ${what}`, {
    cause,
  });
}

function toFinishReason(reason: string | null | undefined): FinishReason {
  switch (reason) {
    case 'stop':
    case 'length':
    case 'content_filter':
      return reason;
    default:
      return 'unknown';
  }
}

/** A server that reports half of it, or no whole numbers, has reported nothing that a budget could go by. */
function toUsage(usage: OpenAI.CompletionUsage | null | undefined): RequestUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = Object(usage);
  const cached = prompt_tokens_details?.cached_tokens ?? 0;
  if (![prompt_tokens, completion_tokens, cached].every(isCount)) {
    return { promptTokens: 0, completionTokens: 0 };
  }
  return {
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    ...(cached > 0 && { cachedPromptTokens: cached }),
  };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
