import type { StreamedPiece } from '../steps/model-call.ts';
import type { AnswerPart } from './shapes.ts';

/** What a part of an answer says, whole or streamed. */
export function textOfPart({ type, text, delta }: AnswerPart): string {
  const said = type === 'text' ? text : type === 'text-delta' ? delta : '';
  return typeof said === 'string' ? said : '';
}

/** What a part of an answer says, thinks or asks for, whole or streamed. A call counts once it is whole. */
export function writtenIn({ type, text, delta, toolName, input }: AnswerPart): string {
  if (type === 'tool-call') return `${toolName}(${input})`;
  const written = type === 'text-delta' || type === 'reasoning-delta' ? delta : text;
  return typeof written === 'string' ? written : '';
}

/** What a part of a stream has instead of text. */
export function besideText({ type, id, delta }: AnswerPart): StreamedPiece | undefined {
  if (typeof delta !== 'string') return undefined;
  if (type === 'reasoning-delta') return { text: delta, part: 'thought' };
  return type === 'tool-input-delta' ? { text: delta, part: `arguments ${id}` } : undefined;
}

/** The texts of a prompt, to be counted. */
export function promptOf(
  messages: readonly { readonly content: unknown }[],
): readonly { readonly content: string }[] {
  return messages.map(({ content }) => ({
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
}

const NOTHING = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };

/** The usage of an answer that the guard makes up, or cuts off. */
export const NO_USAGE: {
  readonly inputTokens: typeof NOTHING;
  readonly outputTokens: typeof NOTHING;
} = { inputTokens: NOTHING, outputTokens: NOTHING };
