import { once } from 'node:events';
import type { Server } from 'node:http';
import { breakerFromPolicy, findPolicy, loadPolicy, type Policy } from '@teamfuse/config';
import { Breaker, InvalidOptionError } from '@teamfuse/core';
import type { GatewayOptions } from '@teamfuse/gateway';
import type { Recorder } from '@teamfuse/recorder';
import { EXIT } from '../commands/exit-codes.ts';
import { cleanForTerminal } from '../output/clean.ts';

/** Where a gateway listens for this machine alone. */
export const LOOPBACK = '127.0.0.1';

/** What `teamfuse gateway` is asked for. */
export interface GatewayJob extends Pick<GatewayOptions, 'refusal' | 'stopWord' | 'failMode'> {
  readonly upstream: string;
  readonly port: number;
  readonly host: string;
  /** `false` for none. */
  readonly policy?: string | false | undefined;
  readonly token?: string | undefined;
  readonly record?: string | undefined;
}

/** Serves until Ctrl-C. Resolves to the exit code. */
export async function runGateway({
  upstream,
  port,
  host,
  token,
  policy,
  record,
  ...rest
}: GatewayJob): Promise<number> {
  if (host !== LOOPBACK && token === undefined) {
    throw new InvalidOptionError('--host', 'a --token as well, since others get in', host);
  }
  const [{ createGateway }, { serve }] = await Promise.all([
    import('@teamfuse/gateway'),
    import('@hono/node-server'),
  ]);
  const recorder = record === undefined ? undefined : await recorderTo(record);
  const breaker = breakersOf(policyAt(policy), recorder);
  const gateway = createGateway({
    upstream,
    breaker,
    ...rest,
    ...(token !== undefined && { token }),
  });
  const server = serve({ fetch: gateway.fetch, port, hostname: host }) as Server;
  await listening(server, port);
  const { port: given } = server.address() as { readonly port: number };
  const address = `http://${host}:${given}`;
  console.log(`OPENAI_BASE_URL=${address}/v1`);
  console.log(cleanForTerminal(`Guards what goes to ${upstream}. Press Ctrl-C to stop.`));
  const exitCode = await drained(server);
  await recorder?.close();
  return exitCode;
}

/** The policy at a path, or the nearest one. Which one was found is said on standard error. */
function policyAt(path: GatewayJob['policy']): Policy | undefined {
  if (path === false) return undefined;
  const found = path ?? findPolicy();
  if (found === undefined) return undefined;
  if (path === undefined) console.error(cleanForTerminal(`policy: ${found}`));
  return loadPolicy({ path: found });
}

/** @throws {@link InvalidOptionError} when the port is taken. */
async function listening(server: Server, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidOptionError('--port', `a port that is free (${code})`, port);
  }
}

async function recorderTo(file: string): Promise<Recorder> {
  const { Recorder: Writer } = await import('@teamfuse/recorder');
  return new Writer(file);
}

/** A breaker for each team of the policy, and one for all others. */
function breakersOf(
  policy: Policy | undefined,
  recorder: Recorder | undefined,
): (team: string | undefined) => Breaker {
  const made = new Map<string, Breaker>();
  return (asked = '') => {
    const team = policy !== undefined && Object.hasOwn(policy.teams, asked) ? asked : '';
    const known = made.get(team);
    if (known !== undefined) return known;
    const options = team === '' ? {} : { team };
    const breaker = policy === undefined ? new Breaker() : breakerFromPolicy(policy, options);
    breaker.on('trip', ({ conversation, reason }) =>
      console.error(cleanForTerminal(`stopped ${conversation}: ${reason}`)),
    );
    recorder?.add(breaker);
    made.set(team, breaker);
    return breaker;
  };
}

/** Waits for Ctrl-C, and then for the calls that are under way. A second Ctrl-C ends them. */
async function drained(server: Server): Promise<number> {
  const closed = once(server, 'close');
  let isStopping = false;
  const interrupt = (): void => {
    if (isStopping) server.closeAllConnections();
    isStopping = true;
    server.close();
    server.closeIdleConnections();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  await closed;
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  return EXIT.clean;
}
