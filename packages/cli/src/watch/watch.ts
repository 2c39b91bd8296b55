/// <reference lib="esnext.disposable" preserve="true" />
import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import { merge } from '../vendor/streams.ts';
import { Board } from './board.ts';
import { putOnBoard } from './put-on-board.ts';
import { serveBoard } from './serve-board.ts';

/** Options of {@link watch}. */
export interface WatchOptions {
  /**
   * The port on this machine.
   * @defaultValue 0, any that is free
   */
  readonly port?: number;
}

const NAMES: OptionNames<WatchOptions> = { port: true };

/** A page that shows breakers while it is open. */
export interface BreakerWatch extends AsyncDisposable {
  /** Where the page is. Who does not know the address does not get in. */
  readonly url: string;
  /** Ends the page. Idempotent. */
  close(): Promise<void>;
}

/**
 * Shows on a web page what happens in breakers: who speaks, how suspicious it is, what it costs, and each trip as it happens.
 *
 * The page is for this machine alone and does not keep the process from ending.
 *
 * @throws {@link InvalidOptionError} for an option that does not exist, or when the port or a breaker is none.
 * @example
 * ```ts
 * const page = await watch(breaker);
 * console.log(page.url);
 * ```
 */
export async function watch(
  breakers: Breaker | readonly Breaker[],
  options: WatchOptions = {},
): Promise<BreakerWatch> {
  checkNames('', options, NAMES);
  const { port = 0 } = options;
  const board = new Board();
  const all = breakersIn(breakers);
  const changes = merge(...all.map((breaker, i) => putOnBoard({ breaker, number: i + 1 }, board)));
  const { url, close } = await serveBoard(board, changes, { port, isDetached: true });
  return { url, close, [Symbol.asyncDispose]: close };
}

function breakersIn(given: Breaker | readonly Breaker[]): readonly Breaker[] {
  try {
    const all: readonly Breaker[] = 'observe' in given ? [given] : [...given];
    if (all.every(({ on }) => typeof on === 'function')) return all;
  } catch {
    // Whatever cannot be read is none.
  }
  throw new InvalidOptionError('breakers', 'a Breaker, or a list of them', given);
}
