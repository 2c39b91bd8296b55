import type { Breaker, Trip } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { type OptionTable, readOptions } from '@teamfuse/core/options';
import { hidden } from './hidden-value.ts';
import { notificationOf } from './notification.ts';
import { type NotifyOptions, readNotifyOptions } from './notify-options.ts';
import { Outbox } from './outbox.ts';
import { slackMessage } from './slack-message.ts';

/** The part of a breaker that is listened to: that of a tenant will do. */
export type NotifiableBreaker = Pick<Breaker, 'on'>;

/** Options of {@link Notifier.flush}. */
export interface FlushOptions {
  /**
   * Milliseconds to wait at most.
   * @defaultValue 30_000
   */
  readonly withinMs?: number;
}

/** Tells of the trips of a breaker. */
export interface Notifier {
  /** How many trips wait or are being told. */
  readonly pending: number;
  /** How many trips were given up so far. */
  readonly lost: number;
  /** Stops listening to the breaker. What waits is still sent. Idempotent. */
  readonly stop: () => void;
  /**
   * Ends when nothing waits any more, or after `withinMs`. Await it before the process ends.
   * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
   */
  readonly flush: (options?: FlushOptions) => Promise<void>;
}

const FLUSH: OptionTable<FlushOptions> = {
  withinMs: { type: 'integer', min: 0, max: 2 ** 31 - 1, default: 30_000 },
};

const FORMS = {
  json: <T>(notification: T): T => notification,
  slack: slackMessage,
};

/**
 * Tells people of each trip of a breaker through a webhook, from now on until it is stopped. The run never waits for it.
 *
 * Messages hold the reason, which may quote what the team said unless the breaker has `excerpts: false`.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value, but no address and no secret.
 * @example
 * ```ts
 * const breaker = new Breaker({ budget: { maxUsd: 5 } });
 * const notifier = notifyTrips(breaker, { url: 'https://hooks.example/teamfuse', attributes: { team: 'research' } });
 * // … the team runs …
 * await notifier.flush();
 * notifier.lost; // => 0
 * ```
 */
export function notifyTrips(breaker: NotifiableBreaker, options: NotifyOptions): Notifier {
  const checked = readNotifyOptions(options);
  if (!isBreaker(breaker)) {
    throw hidden('breaker', 'a Breaker', `a value of type ${typeof breaker}`);
  }
  const outbox = new Outbox(checked);
  // The breaker emits what an async listener throws as an `error`.
  const stop = breaker.on('trip', async (trip: Trip) => {
    // Only a breaker of another version has none.
    const conversation = internalsOf(breaker)?.conversations.findOrRecall(trip.conversation);
    const notification = notificationOf(trip, conversation?.cost, checked.attributes);
    await outbox.add(trip, JSON.stringify(FORMS[checked.form](notification)));
  });
  return {
    get pending() {
      return outbox.pending;
    },
    get lost() {
      return outbox.lost;
    },
    stop,
    flush: async (given = {}) => outbox.flush(readOptions('', given, FLUSH).withinMs),
  };
}

function isBreaker(value: unknown): boolean {
  try {
    return typeof (value as Breaker).on === 'function';
  } catch {
    return false;
  }
}
