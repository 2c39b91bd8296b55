import type { BaseChatMessage } from '../messages/chat/chat-message.ts';

/** Which messages of one source pass. */
export interface PerSourceFilter {
  readonly source: string;
  /**
   * Which end to count from; `null` lets all messages of the source pass.
   * @defaultValue null
   */
  readonly position?: 'first' | 'last' | null | undefined;
  /**
   * How many pass; `null` and 0 let all messages of the source pass.
   * @defaultValue null
   */
  readonly count?: number | null | undefined;
}

/** Which messages pass. Sources that are not listed are held back. */
export interface MessageFilter {
  readonly perSource: readonly PerSourceFilter[];
}

/** The messages that pass, in the order of the filter's list. */
export function filterMessages(
  messages: readonly BaseChatMessage[],
  { perSource }: MessageFilter,
): readonly BaseChatMessage[] {
  return perSource.flatMap(({ source, position, count }) => {
    const said = messages.filter((message) => message.source === source);
    if (!position || !count) return said;
    return position === 'first' ? said.slice(0, count) : said.slice(-count);
  });
}
