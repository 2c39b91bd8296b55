import type { CallItem, ResultItem, TextItem } from '../item.ts';
import type { Thread } from './thread.ts';

/** Something in a history that no earlier request of the conversation held. */
export type News = (
  | { readonly item: TextItem; readonly author: string; readonly isTask: boolean }
  | { readonly item: ResultItem; readonly author: string; readonly call: CallItem | undefined }
) & {
  /** Whether its agent went on after it before the guard saw it: nobody knows when. */
  readonly isPast?: boolean;
  /** When it came, if that was before the request. */
  readonly at?: number | undefined;
};

/** News of a conversation, in a request of `agent`. The model of `writer` wrote it, if any did. */
export function newsOf(
  thread: Thread,
  item: TextItem | ResultItem,
  writer: string | undefined,
  agent: string,
): News {
  if (item.kind === 'result') {
    const asked = thread.takeCall(item);
    const author = thread.nameOf(asked?.agent ?? agent);
    return { item, author, call: asked?.call };
  }
  const { role, name, text } = item;
  const isTask = thread.latestTexts.length === 0 && role === 'user' && writer === undefined;
  thread.said(text);
  const model = writer ?? (role === 'assistant' ? agent : undefined);
  const author = name ?? (model === undefined ? 'user' : thread.nameOf(model));
  return { item, author, isTask };
}
