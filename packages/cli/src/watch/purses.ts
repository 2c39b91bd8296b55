import type { Breaker, Conversation } from '@teamfuse/core';
import { internalsOf, isPromise } from '@teamfuse/core/kit';
import { cleanForTerminal } from '../output/clean.ts';

/** What was spent out of a purse, and the most that may be: nano-dollars or tokens. */
export interface ShownPurse {
  /** Whose it is: `all` together, `conversation`, `user ann` or `key sales`. */
  readonly owner: string;
  readonly unit: 'nanoUsd' | 'tokens';
  readonly spent: number;
  readonly most: number;
}

const MAX_OWNER = 40;

/** The purses that the next call of a conversation is paid out of, as far as they are limited and known at once. */
export function pursesOf(breaker: Breaker, conversation: Conversation): readonly ShownPurse[] {
  const books = internalsOf(breaker).booksOf(conversation);
  if (isPromise(books)) {
    // The page waits for no store, and one that fails must not end the process.
    Promise.resolve(books).catch(() => {});
    return [];
  }
  return books.flatMap(({ purse, totals }) =>
    (['nanoUsd', 'tokens'] as const).flatMap((unit) => {
      const most = purse[unit];
      if (most === undefined) return [];
      return [{ owner: ownerOf(purse.name), unit, spent: totals.spent[unit], most }];
    }),
  );
}

function ownerOf(purse: string): string {
  if (purse === '') return 'all';
  const [owner = '', name = ''] = purse.split(/:(.*)/s);
  return owner === 'conversation'
    ? owner
    : cleanForTerminal(`${owner} ${name.slice(0, MAX_OWNER)}`);
}
