import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';

/** What a client of `pg` hears. */
export interface PostgresNotification {
  readonly channel: string;
  readonly payload?: string | undefined;
}

/** A connected client of `pg`. A pool gives each query another connection, and hears of nothing. */
export interface PostgresSubscriber {
  query(text: string): Promise<unknown>;
  on(event: 'notification', listener: (heard: PostgresNotification) => void): unknown;
  off(event: 'notification', listener: (heard: PostgresNotification) => void): unknown;
}

const CHANNEL = 'teamfuse_circuits';
const EXPECTED = 'a connected client of pg';

/**
 * Calls `heard` for each change of a fleet, as far as the client hears of it. Returns the function that ends that.
 * @throws {@link InvalidOptionError}
 */
export function listen(
  subscriber: PostgresSubscriber | undefined,
  fleet: string,
  heard: () => void,
): () => void {
  if (subscriber === undefined) return () => {};
  return orInvalid('subscriber', EXPECTED, subscriber, () => {
    const { query, on, off, totalCount } = Object(subscriber);
    const isClient = [query, on, off].every((member) => typeof member === 'function');
    if (!isClient || totalCount !== undefined) {
      throw new InvalidOptionError('subscriber', EXPECTED, subscriber);
    }
    const listener = ({ channel, payload }: PostgresNotification): void => {
      if (channel === CHANNEL && payload === fleet) heard();
    };
    subscriber.on('notification', listener);
    // Without it, changes are heard of with the next poll. It is not ended: other stores may have the client, too.
    subscriber.query(`LISTEN ${CHANNEL}`).catch(() => {});
    return () => {
      subscriber.off('notification', listener);
    };
  });
}
