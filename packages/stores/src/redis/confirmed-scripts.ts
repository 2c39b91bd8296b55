import { InvalidOptionError } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';
import { ConfirmedBatches } from './confirmed-batches.ts';
import { isMethodOf, type RedisClient, type RunScript, scriptsOf } from './redis-client.ts';
import { type Script, scriptOf } from './script.ts';

/** Most replicas that may be asked for. */
export const MAX_REPLICAS = 10;

/** Who has to have a change before it counts. */
export interface Confirming {
  /** How many replicas; with 0 every answer counts. */
  readonly replicas: number;
  /** Milliseconds after which an answer is of no use any more. */
  readonly timeoutMs: number;
  /** A key that each script writes to. */
  readonly mark: string;
}

/**
 * How to run scripts so that an answer counts once replicas have all that led to it. The promise rejects when too few have it in time,
 * and the change may have been made all the same.
 * @throws {@link InvalidOptionError} when the client is none, or cannot tell of replicas.
 */
export function confirmedScriptsOf(client: RedisClient, confirming: Confirming): RunScript {
  const { replicas, timeoutMs, mark } = confirming;
  if (replicas === 0) return scriptsOf(client);
  const wait = orInvalid('client', EXPECTED, client, () => waitOf(client));
  // Servers look at the clock every 100 ms. So it ends before the answer is given up, and the error says what was missing.
  const waitMs = Math.ceil(timeoutMs / 2);
  const batches = new ConfirmedBatches(async () => {
    const confirmed = await wait(replicas, waitMs);
    if (Number(confirmed) >= replicas) return;
    throw new Error(`${confirmed} of ${replicas} replicas have confirmed a change`);
  });
  const run = scriptsOf(client, (command) => batches.send(command));
  return (script, keys, args) => run(marking(script), [...keys, mark], args);
}

const MARKING: WeakMap<Script, Script> = new WeakMap();

/**
 * The same script, which writes at least its mark. Servers wait for what a connection itself has written, so one that came after the
 * change, and only found it there, would be told at once that all is confirmed.
 */
function marking(script: Script): Script {
  const known = MARKING.get(script);
  if (known !== undefined) return known;
  const made = scriptOf(`redis.call('SET', KEYS[#KEYS], '', 'PX', 60000)\n${script.lua}`);
  MARKING.set(script, made);
  return made;
}

const EXPECTED =
  'no pool and no cluster, but a client of redis with disableOfflineQueue: true, or of ioredis with autoResendUnfulfilledCommands: false';

/** Waits for replicas over the connection of the commands before, because the server tells of the changes of that one alone. */
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
  throw new InvalidOptionError('client', EXPECTED, client);
}
