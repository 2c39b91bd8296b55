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

type Books = Awaited<ReturnType<ReturnType<typeof internalsOf>['booksOf']>>;

const MAX_OWNER = 40;

/** What a store that answers later has said of the purses of a conversation. */
interface Asked {
  readonly shown: readonly ShownPurse[];
  readonly isUnderWay: boolean;
}

const asked: WeakMap<Conversation, Asked> = new WeakMap();

/**
 * The purses that the next call of a conversation is paid out of, as far as they are limited. Those in a store that answers
 * later are as it last said, and it is asked one question at a time.
 */
export function pursesOf(breaker: Breaker, conversation: Conversation): readonly ShownPurse[] {
  const { shown, isUnderWay } = asked.get(conversation) ?? { shown: [], isUnderWay: false };
  if (isUnderWay) return shown;
  const books = internalsOf(breaker).booksOf(conversation);
  if (!isPromise(books)) return shownIn(books);
  const keep = (latest: readonly ShownPurse[]): void => {
    asked.set(conversation, { shown: latest, isUnderWay: false });
  };
  asked.set(conversation, { shown, isUnderWay: true });
  // The breaker tells of a store that fails.
  books.then(
    (answer) => keep(shownIn(answer)),
    () => keep(shown),
  );
  return shown;
}

function shownIn(books: Books): readonly ShownPurse[] {
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
