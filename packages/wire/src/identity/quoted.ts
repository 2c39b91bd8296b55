import type { Item } from '../item.ts';
import type { Thread } from './thread.ts';

/** How many conversations are searched for one that a prompt quotes. */
const MAX_SEARCHED = 100;
const MIN_QUOTE = 20;

/** The one conversation of a scope whose latest texts a prompt holds; the least recently used stands first in `threads`. */
export function quotedIn(
  items: readonly Item[],
  scope: string,
  threads: Iterable<Thread>,
): Thread | undefined {
  const prompt = items.map((item) => (item.kind === 'text' ? item.text : '')).join('\n');
  const latest = [...threads].slice(-MAX_SEARCHED);
  const quoted = latest.filter(
    (thread) =>
      thread.scope === scope &&
      thread.latestTexts.length > 1 &&
      thread.latestTexts.every((text) => text.length >= MIN_QUOTE && prompt.includes(text)),
  );
  return quoted.length === 1 ? quoted[0] : undefined;
}
