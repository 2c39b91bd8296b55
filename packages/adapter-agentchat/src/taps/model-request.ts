import { costInUsd, type ModelRequestSignal } from '@teamfuse/core';
import type { CheckedOptions } from '../guard/guard-options.ts';
import type { ModelCallOptions, ModelMessage } from './shapes.ts';

/** The signal of a model call that is about to be made, with estimates where the options allow them. */
export function modelRequest(
  bare: ModelRequestSignal,
  {
    messages,
    options,
  }: { readonly messages: readonly ModelMessage[]; readonly options: ModelCallOptions },
  { counter, prices }: CheckedOptions,
): ModelRequestSignal {
  const maxOutputTokens = outputLimit(options);
  const inputTokens = counter && checkedCount(counter.countMessages(messages.map(countable)));
  const usd =
    inputTokens === undefined
      ? null
      : costInUsd(prices, bare.model, { inputTokens, outputTokens: maxOutputTokens ?? 0 });
  return {
    ...bare,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(usd !== null && { estimatedCostUsd: usd }),
  };
}

function checkedCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new RangeError(
    `counter.countMessages: expected a whole number of at least 0, received ${String(count)}`,
  );
}

/** How long the answer may get, if the call says so in OpenAI's words. */
function outputLimit({ extraCreateArgs = {} }: ModelCallOptions): number | undefined {
  const limit = extraCreateArgs.max_completion_tokens ?? extraCreateArgs.max_tokens;
  return typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0 ? limit : undefined;
}

function countable({ content, source }: ModelMessage): { content: string; name?: string } {
  return { content: textOf(content), ...(source !== undefined && { name: source }) };
}

/** Everything a message makes a model read; images have no text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part === 'string' ? part : partText(part))).join('\n');
}

function partText(part: unknown): string {
  const { name = '', arguments: args = '', content = '' } = Object(part);
  return `${name}${args}${content}`;
}
