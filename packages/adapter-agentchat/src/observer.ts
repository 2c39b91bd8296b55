import type { ChatItem, RunOptions } from '@teamfuse/agentchat';
import type { Breaker, Signal } from '@teamfuse/core';
import { Ledger } from './ledger.ts';
import type { Circumstances } from './signals/item-reader.ts';
import { messagesOf } from './signals/task.ts';

/** What was being done when something failed. */
export type WatchActivity = 'observe' | 'admit' | 'warn';

/** Something failed in the watching or in the breaker; the team goes on. */
export interface WatchProblem {
  readonly during: WatchActivity;
  readonly error: unknown;
}

/** Takes a {@link WatchProblem}. */
export type ErrorHandler = (problem: WatchProblem) => void;

/**
 * Tells a breaker what happens.
 *
 * Fails open: what cannot be observed is reported and the run goes on. A run is never harmed by being watched.
 */
export class Observer {
  readonly breaker: Breaker;
  readonly ledger: Ledger;
  readonly #onError: ErrorHandler;

  constructor(breaker: Breaker, onError: ErrorHandler = showWarning) {
    this.breaker = breaker;
    this.ledger = Ledger.of(breaker);
    this.#onError = onError;
  }

  /** Tells what these items say, as far as nobody has told it before. */
  items(items: readonly ChatItem[], circumstances: Omit<Circumstances, 'at'>): void {
    const news = this.attempt(() => this.ledger.enter(items)) ?? [];
    for (const item of news) this.#read(item, circumstances, news);
  }

  /** Tells the task of a run before the team has it, so that nothing the team does can come first. */
  task(task: RunOptions['task']): void {
    this.attempt(() => {
      if (typeof task === 'string') {
        const at = this.breaker.now();
        this.signal({ kind: 'human-input', at, agent: 'user', text: task });
        this.ledger.foretell(task);
      } else {
        const messages = messagesOf(task);
        for (const message of messages) this.#read(message, { isTask: true }, messages);
        this.ledger.foretell(messages);
      }
    });
  }

  /** Takes note of the task of a nested chat: whoever opened the chat has said it, or says it with the chat. */
  knownTask(task: RunOptions['task'], isShown: boolean): void {
    this.attempt(() => {
      if (typeof task !== 'string') this.ledger.enter(messagesOf(task));
      else if (isShown) this.ledger.foretell(task);
    });
  }

  /** Tells one thing that happened. */
  signal(signal: Signal): void {
    this.attempt(() => this.breaker.observe(signal));
  }

  /** Does something of the watching; if it fails, that is reported and nothing else. */
  attempt<T>(watch: () => T): T | undefined {
    try {
      return watch();
    } catch (error) {
      this.report('observe', error);
      return undefined;
    }
  }

  /** Reports an error; a handler that throws has nobody left to be told. */
  report(during: WatchActivity, error: unknown): void {
    try {
      this.#onError({ during, error });
    } catch {}
  }

  /** One that cannot be read does not keep the others from being told. */
  #read(
    item: ChatItem,
    circumstances: Omit<Circumstances, 'at'>,
    together: readonly ChatItem[],
  ): void {
    const at = this.breaker.now();
    const signals = this.attempt(() =>
      this.ledger.reader.read(item, { ...circumstances, at }, together),
    );
    for (const signal of signals ?? []) this.signal(signal);
  }
}

/** Shows a problem where Node shows warnings: not silent, and harmless. */
export function showWarning({ during, error }: WatchProblem): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  process.emitWarning(`The guard failed to ${during}. ${text}`, 'TeamfuseWarning');
}
