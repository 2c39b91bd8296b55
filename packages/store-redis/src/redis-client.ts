import { InvalidOptionError } from '@teamfuse/core';
import { reading } from '@teamfuse/core/kit';
import type { Script } from './scripts.ts';

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

/** Most replicas that may be asked for. */
export const MAX_REPLICAS = 10;

/** Who has to have a change before it counts. */
export interface Confirming {
  /** How many replicas, at least 1. */
  readonly replicas: number;
  /** Milliseconds to wait for them. */
  readonly timeoutMs: number;
}

/**
 * How to run scripts with a client. With `confirming`, a change counts once replicas have it: the promise rejects when too few have it in
 * time, and the change may have been made all the same.
 * @throws {@link InvalidOptionError} when it is none, or cannot tell of replicas.
 */
export function scriptsOf(client: RedisClient, confirming?: Confirming): RunScript {
  const [bySha, byText] = reading('client', EXPECTED, client, () => commandsOf(client));
  const confirmed = confirming === undefined ? plainly : confirmedBy(client, byText, confirming);
  return async ({ lua, sha }, keys, args) => {
    const answer = await confirmed(bySha(sha, keys, args), keys).catch((error: unknown) => {
      if (!isUnknownScript(error)) throw error;
      return confirmed(byText(lua, keys, args), keys);
    });
    if (Array.isArray(answer)) return answer.map(String);
    throw new Error('the client returned no list');
  };
}

type Confirmed = (sent: Promise<unknown>, keys: readonly string[]) => Promise<unknown>;

/**
 * Makes a change in any case. A script that is asked again over a new connection changes nothing, and the server would tell of replicas
 * that have nothing at all.
 */
const MARK = "return { redis.call('SET', KEYS[1], '1', 'PX', '60000') }";

const plainly: Confirmed = (sent) => sent;

/** Asks about what was just sent: over one connection, because the server tells of the changes of that one alone. */
function confirmedBy(
  client: RedisClient,
  byText: Command,
  { replicas, timeoutMs }: Confirming,
): Confirmed {
  const wait = reading('client', EXPECTED_WAITING, client, () => waitOf(client));
  return async (sent, keys) => {
    const marked = byText(MARK, [`${keys[0]}:mark`], []);
    const all = [sent, marked, wait(replicas, timeoutMs)] as const;
    await Promise.allSettled(all);
    const [answer, , confirmed] = await Promise.all(all);
    if (Number(confirmed) >= replicas) return answer;
    throw new Error(`${confirmed} of ${replicas} replicas have confirmed a change`);
  };
}

const EXPECTED = 'a client of redis or ioredis';
const EXPECTED_WAITING =
  'no pool and no cluster, but a client of redis with disableOfflineQueue: true, or of ioredis with autoResendUnfulfilledCommands: false';

type Wait = (replicas: number, timeoutMs: number) => Promise<unknown>;

/** A client that sent a question again over a new connection would be told of changes that are not its own. */
function waitOf(client: RedisClient): Wait {
  const { isReady, isCluster, options } = client as {
    readonly isReady?: unknown;
    readonly isCluster?: unknown;
    readonly options?: Readonly<Record<string, unknown>>;
  };
  const isNode = typeof isReady === 'boolean' && options?.disableOfflineQueue === true;
  const isIo = isCluster === false && options?.autoResendUnfulfilledCommands === false;
  if ((isNode || isIo) && isMethodOf(client, 'wait')) {
    const waiting = client as unknown as { readonly wait: Wait };
    return (replicas, timeoutMs) => waiting.wait(replicas, timeoutMs);
  }
  throw new InvalidOptionError('client', EXPECTED_WAITING, client);
}

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

function isMethodOf(client: unknown, name: string): boolean {
  return typeof Object(client)[name] === 'function';
}

function isUnknownScript(error: unknown): boolean {
  return String(Object(error).message).startsWith('NOSCRIPT');
}
