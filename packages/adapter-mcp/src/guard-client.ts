import * as kit from '@teamfuse/adapter-kit';
import { type Breaker, type Trip, TrippedError } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { type ClientOptions, splitOptions } from './client-options.ts';
import { outcomeOf, refusal, refusedCall } from './outcome.ts';
import { withOwnSignal } from './own-signal.ts';
import {
  type GuardableClient,
  isClient,
  optionsAt,
  type RequestParams,
  type Send,
} from './shapes.ts';
import { ToolNames } from './tool-names.ts';

/** A guard on clients. */
export interface ClientGuard extends kit.Guard {
  /** Why the run that asks was stopped; outside of all runs, why any was stopped, or the circuit is not closed. */
  readonly trip: Trip | undefined;
  /**
   * Runs the work of a host on one request as a conversation of its own. Its calls are cut off when it is stopped.
   *
   * @throws TrippedError when a call is refused inside that does not give a result instead.
   */
  run<T>(work: () => Promise<T>, about?: kit.WorkInfo): Promise<T>;
  run<T>(whom: kit.ForWhom, work: () => T): T;
}

const MEMBERS = ['callTool', 'readResource', 'getPrompt'] as const;
type Member = (typeof MEMBERS)[number];

interface Setting {
  readonly context: kit.GuardContext;
  readonly agent: string;
  readonly throws: boolean;
  readonly names: ToolNames;
}

/**
 * Guards an MCP client, or all clients of one host: tools, resources and prompts are refused before their effect, and reported with
 * what came of them. MCP has no model calls, so the host's own loop has to end at `guard.trip`.
 *
 * @throws {@link GuardInstallError} when it is no client.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function guardClient(
  clients: GuardableClient | readonly GuardableClient[],
  breaker: Breaker,
  options: ClientOptions = {},
): ClientGuard {
  const { own, shared } = splitOptions(options);
  const { agent, onRefusal, onTrip } = own;
  const context = new kit.GuardContext(kit.checkBreaker('the client', breaker), shared);
  const throws = onRefusal === 'throw';
  const setting = { context, agent, throws, names: new ToolNames() };
  const all = kit.listOf(clients);
  const guard = kit.installGuard(context, (taps) => {
    const rounds = all.map((client) => tapClient(setting, taps, client));
    const round = (): Promise<unknown> => Promise.all(rounds.map((call) => call()));
    return { round, speakers: ['callTool'] };
  });
  const requests = new Set<string>();
  const isOwn = (id: string): boolean => context.conversations.ids.has(id) || requests.has(id);
  const unsubscribe =
    onTrip && breaker.on('trip', (trip) => isOwn(trip.conversation) && onTrip(trip));
  const run = kit.eitherRun(guard, (work, { name = 'run', ...about } = {}) => {
    const isApart = context.conversationName === undefined;
    const listing = () => listed(requests, context, work);
    return kit.runWork(context, { name, isApart, ...about, work: listing });
  });
  const uninstall = (): void => {
    unsubscribe?.();
    guard.uninstall();
  };
  return {
    run,
    get trip() {
      const { scope } = context;
      return scope === undefined ? context.trip : scope.run.trip;
    },
    uninstall,
    [Symbol.dispose]: uninstall,
    wrapUp: guard.wrapUp,
    selfTest: guard.selfTest,
  };
}

/** Keeps the id of a run's conversation as long as it is under way. */
async function listed<T>(
  ids: Set<string>,
  { conversation: { id } }: kit.GuardContext,
  work: () => Promise<T>,
): Promise<T> {
  ids.add(id);
  try {
    return await work();
  } finally {
    ids.delete(id);
  }
}

/** Returns a call for the self-test. */
function tapClient(
  setting: Setting,
  taps: kit.TapSet,
  client: GuardableClient,
): () => Promise<unknown> {
  if (!isClient(client)) {
    throw new GuardInstallError('the client', `an MCP client; received ${kit.describe(client)}`);
  }
  const name = client.getServerVersion()?.name ?? 'MCP client';
  const call = (): Promise<unknown> => client.callTool({ name: 'self-test' } as never);
  if (!taps.claim(client, name)) return call;
  for (const member of MEMBERS) {
    const guarded = guardedSend(setting, client, member);
    taps.replace(client, name, member, guarded, [() => guarded({ name: 'self-test' })]);
  }
  return call;
}

function guardedSend(setting: Setting, client: GuardableClient, member: Member): Send {
  const { context, throws } = setting;
  const send = client[member].bind(client) as Send;
  return async (params, ...rest) => {
    const { tool, args } = namesOf(setting, client, member, params);
    const { scope } = context;
    // The guarded tool that sends this very call was asked for, and is reported.
    const isSame = member === 'callTool' && scope?.tool === params.name;
    if (!context.isActive || isSame) return send(params, ...rest);
    const at = optionsAt(send, member, rest);
    const options = (rest[at] ?? {}) as { readonly signal?: AbortSignal };
    const work = async (signal: AbortSignal | undefined): Promise<object> => {
      if (context.isRehearsal) return {};
      if (signal === undefined) return send(params, ...rest);
      const before = at === 0 ? [] : [rest[0]];
      return withOwnSignal(signal, (own) => send(params, ...before, { ...options, signal: own }));
    };
    const agent = scope?.agent ?? setting.agent;
    const { signal } = options;
    try {
      const refusedAs = member === 'callTool' ? refusedCall : undefined;
      const step = kit.toolCall({ agent, tool, args, signal, outcomeOf, refusedAs });
      return await kit.call(context, step, work);
    } catch (error) {
      const trip = signal?.aborted ? undefined : kit.tripIn(error);
      if (trip === undefined) throw error;
      if (member === 'callTool' && !throws && !context.isRehearsal) return refusal(trip);
      throw new TrippedError(trip);
    }
  };
}

/** What a request is called in signals. */
function namesOf(
  { names }: Setting,
  client: GuardableClient,
  member: Member,
  { name = '', uri, arguments: args = {} }: RequestParams,
): { readonly tool: string; readonly args: unknown } {
  if (member === 'readResource') return { tool: names.of(client, 'resources/read'), args: { uri } };
  if (member === 'callTool') return { tool: names.of(client, name), args };
  return { tool: names.of(client, 'prompts/get'), args: { name, arguments: args } };
}
