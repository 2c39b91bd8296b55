import { createServer, type Server } from 'node:http';
import { findPolicy, loadPolicy, type Policy } from '@teamfuse/config';
import { InvalidOptionError } from '@teamfuse/core';
import type { Recorder } from '@teamfuse/recorder';
import type { GatewayOptions } from '@teamfuse/wire/gateway';
import { EXIT } from '../commands/exit-codes.ts';
import { cleanForTerminal } from '../output/clean.ts';
import { listen } from '../watch/listen.ts';
import type { SharedBooks } from './books/shared-books.ts';
import { storeIn } from './books/store-address.ts';
import { breakersOf } from './breakers.ts';
import { CODING_AGENTS, type CodingAgentName } from './coding-agents.ts';
import { Connections } from './connections.ts';
import { keyIn, knownKeys } from './keys.ts';
import type { LivePage } from './live-page.ts';
import type { Metrics } from './metrics.ts';
import { patientFetch } from './patient-fetch.ts';

/** Where a gateway listens for this machine alone. */
export const LOOPBACK = '127.0.0.1';

/** What `teamfuse gateway` is asked for. */
export interface GatewayJob extends Required<Pick<GatewayOptions, 'refusal' | 'stopWord'>> {
  /** By default, a guard that fails lets calls pass, and a store that fails does not. */
  readonly failMode?: GatewayOptions['failMode'] | undefined;
  /** By default that of the coding agent. */
  readonly upstream?: string | undefined;
  /** The coding agent whose calls are guarded. */
  readonly for?: CodingAgentName | undefined;
  readonly port: number;
  readonly host: string;
  /** `false` for none. */
  readonly policy?: string | false | undefined;
  readonly token?: string | undefined;
  readonly record?: string | undefined;
  /** Whether the upstream is asked, or which model; the policy says so otherwise. */
  readonly judge?: boolean | string | undefined;
  /** The environment variable with the key to ask with. */
  readonly judgeKey?: string | undefined;
  /** Whether Prometheus may read measurements. */
  readonly metrics?: boolean | undefined;
  /** Whether streams are asked for their usage. */
  readonly streamUsage?: boolean | undefined;
  /** Whether models that were told of a loop are asked without its repeated laps. */
  readonly cutLaps?: boolean | undefined;
  /** How much a request may hold; what is not said here, the policy says. */
  readonly bound?: GatewayOptions['bounds'];
  /** Where several gateways keep one budget; the policy says so otherwise. */
  readonly store?: string | undefined;
}

/** Serves until Ctrl-C. Resolves to the exit code. */
export async function runGateway(job: GatewayJob): Promise<number> {
  const { host, token, policy, store } = job;
  if (host !== LOOPBACK && !token) {
    const expected = 'a --token or TEAMFUSE_TOKEN as well, since others get in';
    throw new InvalidOptionError('--host', expected, host);
  }
  const upstream = job.upstream ?? (job.for && CODING_AGENTS[job.for].upstream);
  if (upstream === undefined) {
    const expected = 'the address of an API, or --for and the name of a coding agent';
    throw new InvalidOptionError('--upstream', expected, undefined);
  }
  const known = policyAt(policy);
  const books = await booksAt(store || (known && storeIn(known)));
  try {
    return await serve({ ...job, upstream }, known, books);
  } finally {
    await books?.close();
  }
}

async function serve(
  {
    upstream,
    for: agent,
    port,
    host,
    token,
    record,
    judge,
    judgeKey,
    metrics,
    streamUsage = true,
    cutLaps = false,
    bound,
    ...rest
  }: GatewayJob & { readonly upstream: string },
  known: Policy | undefined,
  books: SharedBooks | undefined,
): Promise<number> {
  const { refusal, stopWord, failMode = books === undefined ? 'open' : 'closed' } = rest;
  const [{ createGateway }, { LivePage }, { listenerOf }] = await Promise.all([
    import('@teamfuse/wire/gateway'),
    import('./live-page.ts'),
    import('./listener.ts'),
  ]);
  const page = new LivePage(token || undefined);
  const measured = metrics ? await metricsFor(token || undefined) : undefined;
  const recorder = record === undefined ? undefined : await recorderTo(record);
  const breakers = await breakersOf(known, { judge, books });
  for (const [team, breaker] of breakers) {
    recorder?.add(breaker);
    page.add(breaker, team);
    measured?.add(breaker, team);
  }
  const gateway = createGateway({
    upstream,
    breaker: (team = '') => breakers.get(team),
    keys: knownKeys(known, process.env),
    onUnreachable: tellUpstream,
    onMistake: () => measured?.mistaken(),
    onError: tellGuard,
    refusal,
    stopWord,
    failMode,
    streamUsage,
    cutLaps,
    fetch: await patientFetch(),
    bounds: { ...known?.gateway?.bounds, ...bound },
    ...(judgeKey !== undefined && { judgeKey: keyIn(judgeKey, process.env) }),
    ...(token && { token }),
    ...(books?.salt && { salt: books.salt }),
  });
  const listener = listenerOf(gateway, tellUpstream);
  const server = createServer((request, response) => {
    const answered =
      page.handle(request, response) ??
      measured?.handle(request, response) ??
      listener(request, response);
    answered.catch((error: unknown) => {
      tellGuard(error);
      response.destroy();
    });
  });
  const connections = new Connections(server);
  await listen(server, { port, host }, { port: '--port', host: '--host' });
  // A connection that cannot be accepted ends none of the others.
  server.on('error', tellGuard);
  const { port: given } = server.address() as { readonly port: number };
  const address = `http://${host}:${given}`;
  console.log(
    agent ? CODING_AGENTS[agent].start(address, upstream) : `OPENAI_BASE_URL=${address}/v1`,
  );
  console.log(`Live page: ${address}${page.path}`);
  if (measured) console.log(`Metrics: ${address}${measured.path}`);
  if (books) console.log(cleanForTerminal(`Budgets: ${books.shown}`));
  console.log(cleanForTerminal(`Guards what goes to ${upstream}. Press Ctrl-C to stop.`));
  const exitCode = await drained(server, connections, page);
  await recorder?.close();
  return exitCode;
}

/** Says on one line what is wrong with the upstream. */
function tellUpstream(problem: string): void {
  console.error(cleanForTerminal(`upstream: ${problem}`));
}

/** Says on one line that the guard could not decide about a call. */
function tellGuard(error: unknown): void {
  console.error(
    cleanForTerminal(
      `a request could not be guarded: ${error instanceof Error ? error.message : error}`,
    ),
  );
}

/** The policy at a path, or the nearest one. Which one was found is said on standard error. */
function policyAt(path: GatewayJob['policy']): Policy | undefined {
  if (path === false) return undefined;
  const found = path ?? findPolicy();
  if (found === undefined) return undefined;
  if (path === undefined) console.error(cleanForTerminal(`policy: ${found}`));
  return loadPolicy({ path: found });
}

/** Connects to the books that several gateways share, if there are any. */
async function booksAt(address: string | undefined): Promise<SharedBooks | undefined> {
  if (address === undefined) return undefined;
  const { SharedBooks: Books } = await import('./books/shared-books.ts');
  return Books.open(address, (problem) => console.error(cleanForTerminal(`budget: ${problem}`)));
}

async function metricsFor(token: string | undefined): Promise<Metrics> {
  const { Metrics: Measured } = await import('./metrics.ts');
  return new Measured(token);
}

async function recorderTo(file: string): Promise<Recorder> {
  const { Recorder: Writer } = await import('@teamfuse/recorder');
  return new Writer(file);
}

/** Waits for Ctrl-C, and then for the calls that are under way. A second Ctrl-C ends them. */
async function drained(server: Server, connections: Connections, page: LivePage): Promise<number> {
  // Not `once`, which a connection that cannot be accepted ends.
  const closed = new Promise((resolve) => server.once('close', resolve));
  let isStopping = false;
  const interrupt = (): void => {
    if (isStopping) server.closeAllConnections();
    isStopping = true;
    page.close();
    server.close();
    connections.end();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  await closed;
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  return EXIT.clean;
}
