import type { OptionNames } from '@teamfuse/python-compat';
import { knownOptions } from '../base/options.ts';
import type { BaseChatMessage } from '../messages/chat/chat-message.ts';

/** Selects messages of one source. */
export interface PerSourceFilter {
  readonly source: string;
  /**
   * Which end to count from; `null` lets all messages of the source pass.
   * @defaultValue null
   */
  readonly position?: 'first' | 'last' | null | undefined;
  /**
   * Number of messages that pass; `null` and 0 let all messages of the source pass.
   * @defaultValue null
   */
  readonly count?: number | null | undefined;
}

const perSourceNames: OptionNames<PerSourceFilter> = {
  source: true,
  position: true,
  count: true,
};

/** Selects messages by source. Messages of sources that are not listed do not pass. */
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

/** Returns a filter; rejects unknown fields. */
export function checkedFilter(filter: MessageFilter): MessageFilter {
  const { perSource } = knownOptions('filter', filter, { perSource: true });
  for (const source of perSource) knownOptions('filter.perSource', source, perSourceNames);
  return filter;
}
