import { setTimeout as pause } from 'node:timers/promises';
import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';
import type { Script } from './script.ts';

/** A client, cluster or pool of `redis` (node-redis). */
export interface NodeRedisClient {
  evalSha(sha: string, options: NodeRedisEval): Promise<unknown>;
  eval(script: string, options: NodeRedisEval): Promise<unknown>;
}

/** Keys and arguments of a script in node-redis. */
export interface NodeRedisEval {
  keys: string[];
  arguments: string[];
}

/** A client or cluster of `ioredis`. */
export interface IoRedisClient {
  evalsha(sha: string, keys: number, ...args: string[]): Promise<unknown>;
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
}

/** A connected client of Redis or Valkey. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** Runs a script on keys with arguments. */
export type RunScript = (
  script: Script,
  keys: readonly string[],
  args: readonly string[],
) => Promise<readonly string[]>;

/** In so long a client has its connection back that it has lost for a moment. */
const MOMENT_MS = 100;

/** How to run scripts with a client. `send` sends each command. @throws {@link InvalidOptionError} when it is none. */
export function scriptsOf(client: RedisClient, send: Send = atOnce): RunScript {
  const [bySha, byText] = orInvalid('client', EXPECTED, client, () => commandsOf(client));
  return async ({ lua, sha }, keys, args) => {
    const answer = await send(() => bySha(sha, keys, args))
      .catch((error: unknown) => {
        if (!isUnknownScript(error)) throw error;
        return send(() => byText(lua, keys, args));
      })
      .catch(async (error: unknown) => {
        // Asked again at once, it would say the same.
        if (isReconnecting(client)) await pause(MOMENT_MS, undefined, { ref: false });
        throw error;
      });
    if (Array.isArray(answer)) return answer.map(String);
    throw new Error('the client returned no list');
  };
}

/** Sends a command, and gives its answer. */
export type Send = (command: () => Promise<unknown>) => Promise<unknown>;

const atOnce: Send = (command) => command();

const EXPECTED = 'a client of redis or ioredis';

type Command = (
  script: string,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>;

function commandsOf(client: RedisClient): readonly [Command, Command] {
  if (isMethodOf(client, 'evalSha')) {
    const node = client as NodeRedisClient;
    return [
      (sha, keys, args) => node.evalSha(sha, { keys: [...keys], arguments: [...args] }),
      (lua, keys, args) => node.eval(lua, { keys: [...keys], arguments: [...args] }),
    ];
  }
  if (isMethodOf(client, 'evalsha')) {
    const io = client as IoRedisClient;
    return [
      (sha, keys, args) => io.evalsha(sha, keys.length, ...keys, ...args),
      (lua, keys, args) => io.eval(lua, keys.length, ...keys, ...args),
    ];
  }
  throw new InvalidOptionError('client', EXPECTED, client);
}

/** Whether a client has a command. */
export function isMethodOf(client: unknown, name: string): boolean {
  return typeof Object(client)[name] === 'function';
}

/** Whether a client has no connection, as far as it says so. */
function isReconnecting(client: unknown): boolean {
  const { isReady, status = 'ready' } = Object(client);
  return isReady === false || status !== 'ready';
}

function isUnknownScript(error: unknown): boolean {
  return String(Object(error).message).startsWith('NOSCRIPT');
}
