import type { Item } from '../item.ts';
import { after, type Chain } from './chain.ts';

/** Where each item of a history leads. */
export interface History {
  readonly start: Chain;
  readonly items: readonly Item[];
  readonly chains: readonly Chain[];
}

/** The nodes of a history that begins at `start`. */
export function historyFrom(start: Chain, items: readonly Item[]): History {
  let chain = start;
  const chains = items.map((item) => {
    chain = after(chain, item);
    return chain;
  });
  return { start, items, chains };
}

/** What the members of a conversation have said and done: a history without its instructions. */
export function conversationIn(items: readonly Item[]): readonly Item[] {
  return withoutRetries(items).filter((item) => !isInstruction(item));
}

/** A history without answers that a further instruction corrects at once: they are asked for anew, and no part of it. */
function withoutRetries(items: readonly Item[]): readonly Item[] {
  let length = items.length;
  while (length > 2 && isRetry(items, length)) length -= 2;
  return length === items.length ? items : items.slice(0, length);
}

/** Whether a history ends with an answer that an instruction corrects. */
export function endsWithRetry(items: readonly Item[]): boolean {
  return items.length > 2 && isRetry(items, items.length);
}

/** Whether the first `length` items end with an answer between two instructions. */
function isRetry(items: readonly Item[], length: number): boolean {
  const [before, answer, last] = items.slice(length - 3, length) as [Item, Item, Item];
  const isAnswer = answer.kind === 'text' && answer.role === 'assistant';
  return isAnswer && isInstruction(before) && isInstruction(last);
}

/** Where the latest words or calls of the agent that asks stand in its history; -1 for none. */
export function latestOwn(items: readonly Item[]): number {
  return items.findLastIndex(isOwn);
}

/** Whether an item is said or done by the agent whose history it stands in. */
export function isOwn(item: Item): boolean {
  return item.kind === 'text' ? item.role === 'assistant' : item.kind === 'call';
}

/** The name that an agent's own words have in its request. */
export function ownName(items: readonly Item[]): string | undefined {
  const own = items.findLast((item) => item.kind === 'text' && item.role === 'assistant');
  return own?.kind === 'text' ? own.name : undefined;
}

/** Whether an item tells a model how to behave. */
export function isInstruction(item: Item): boolean {
  return item.kind === 'text' && item.role === 'system';
}
