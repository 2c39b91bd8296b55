import type { Item } from '../item.ts';

const MAX_COMPARED = 20_000;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Whether an item is what a framework has made of an answer: one holds the other, or at least half of the words of the shorter one
 * are in the longer one.
 */
export function isVersion(item: Item, answer: readonly Item[]): boolean {
  const [a, b] = [textOf(item), answer.map(textOf).join('\n').trim()];
  if (a === '' || b === '') return false;
  if (a.includes(b) || b.includes(a)) return true;
  const [fewer, more] = [wordsOf(a), wordsOf(b)].sort((one, other) => one.size - other.size);
  const common = [...(fewer ?? [])].filter((word) => more?.has(word)).length;
  return fewer !== undefined && fewer.size > 0 && common * 2 >= fewer.size;
}

function textOf(item: Item): string {
  if (item.kind !== 'call') return item.text.trim();
  const args = typeof item.args === 'string' ? item.args : JSON.stringify(item.args);
  return `${item.tool} ${args}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.slice(0, MAX_COMPARED).match(WORD) ?? []);
}
