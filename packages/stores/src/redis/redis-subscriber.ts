import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';

/** A client of `redis` (node-redis) that subscribes. */
export interface NodeRedisSubscriber {
  evalSha: unknown;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
}

/** A client of `ioredis` that subscribes. */
export interface IoRedisSubscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: 'message', listener: (channel: string, message: string) => void): unknown;
  off(event: 'message', listener: (channel: string, message: string) => void): unknown;
}

/** A connected client that does nothing but listen. */
export type RedisSubscriber = NodeRedisSubscriber | IoRedisSubscriber;

const EXPECTED = 'a connected client of redis or ioredis';

/**
 * Calls `heard` for each message of a channel, as far as the client hears of it. Returns the function that ends that.
 * @throws {@link InvalidOptionError}
 */
export function listen(
  subscriber: RedisSubscriber | undefined,
  channel: string,
  heard: () => void,
): () => void {
  if (subscriber === undefined) return ignore;
  return orInvalid('subscriber', EXPECTED, subscriber, () => {
    if (typeof subscriber.subscribe !== 'function') {
      throw new InvalidOptionError('subscriber', EXPECTED, subscriber);
    }
    return 'evalSha' in subscriber
      ? byNodeRedis(subscriber, channel, heard)
      : byIoRedis(subscriber, channel, heard);
  });
}

function byNodeRedis(client: NodeRedisSubscriber, channel: string, heard: () => void): () => void {
  client.subscribe(channel, heard).catch(ignore);
  return () => {
    client.unsubscribe(channel, heard).catch(ignore);
  };
}

function byIoRedis(client: IoRedisSubscriber, channel: string, heard: () => void): () => void {
  const listener = (from: string): void => {
    if (from === channel) heard();
  };
  client.on('message', listener);
  client.subscribe(channel).catch(ignore);
  return () => {
    client.off('message', listener);
    client.unsubscribe(channel).catch(ignore);
  };
}

/** Without a subscription, changes are heard of with the next poll. */
function ignore(): void {}
