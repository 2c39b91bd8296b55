import { setImmediate } from 'node:timers/promises';
import { collectEmitted } from '../async/collect-emitted.ts';
import { mergeStreams } from '../async/merge-streams.ts';
import type { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { isRefusal, refusalReason } from '../tools/refusal.ts';
import type { GroupChatManager, RunContext, Start, Step } from './group-chat-manager.ts';
import type { ParticipantContainer } from './participant-container.ts';
import { runFailure, throwIfCancelled } from './run-failure.ts';

/** The manager and participants of one run, and the controller that cancels it. */
interface Round {
  readonly manager: GroupChatManager;
  readonly containers: ReadonlyMap<string, ParticipantContainer>;
  readonly run: AbortController;
}

/** How a run ended. */
export interface RunEnd {
  readonly message: StopMessage;
  /** The guard's refusal, if one ended the run. */
  readonly refusal?: unknown;
}

/**
 * Runs a team once: yields its messages and events, and returns why it stopped.
 *
 * The run is driven by its reader: no participant is asked before the next item is requested. Errors of the start are
 * thrown unchanged, later errors as a {@link RuntimeError}. A guard's refusal stops the run like a condition, with its
 * reason as the stop reason.
 */
export async function* converse(
  manager: GroupChatManager,
  containers: ReadonlyMap<string, ParticipantContainer>,
  start: Start,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatItem, RunEnd> {
  const run = new AbortController();
  const cancel = (): void => run.abort(signal?.reason);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const round: Round = { manager, containers, run };
  let isOver = false;
  try {
    const emitted: ChatItem[] = [];
    const opening = await begin(
      manager,
      start,
      contextOf(round, (item) => emitted.push(item)),
      signal,
    );
    throwIfCancelled(signal);
    yield* emitted;
    if (opening.kind === 'refused') return await refusedEnd(manager, opening.refusal);
    let step: Step = opening;
    try {
      while (step.kind === 'speak') {
        // Without this, a team whose agents never wait would block timers and signals.
        await setImmediate();
        throwIfCancelled(signal);
        step = yield* turn(round, step.speakers);
      }
      isOver = true;
      return { message: step.message };
    } catch (error) {
      if (signal?.aborted === true || !isRefusal(error)) throw runFailure(error, signal);
      return await refusedEnd(manager, error);
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    if (!isOver) run.abort();
  }
}

/** Starts a run. Errors propagate unchanged, except refusals. */
async function begin(
  manager: GroupChatManager,
  start: Start,
  context: RunContext,
  signal: AbortSignal | undefined,
): Promise<Step | { readonly kind: 'refused'; readonly refusal: unknown }> {
  try {
    return await manager.start(start, context);
  } catch (error) {
    if (signal?.aborted === true) throw runFailure(error, signal);
    if (!isRefusal(error)) throw error;
    return { kind: 'refused', refusal: error };
  }
}

/** Ends a run after a guard's refusal. */
async function refusedEnd(manager: GroupChatManager, refusal: unknown): Promise<RunEnd> {
  return { message: await manager.refused(refusalReason(refusal) ?? ''), refusal };
}

/** Gives the speakers their turn, and returns the next step. */
async function* turn(round: Round, speakers: readonly string[]): AsyncGenerator<ChatItem, Step> {
  const { manager, containers, run } = round;
  let open = speakers.length;
  let verdict: Promise<StopMessage | null> | undefined;

  const speak = async function* (name: string): AsyncGenerator<ChatItem, void> {
    const container = containers.get(name);
    if (container === undefined) throw new Error(`no container for ${name}`);
    const { delta, chatMessages, unstreamed, refusal } = yield* container.ask(run.signal);
    for (const other of containers.values()) if (other !== container) other.deliver(chatMessages);
    await manager.record(delta);
    if (refusal !== undefined) throw refusal;
    open -= 1;
    // The condition judges only the last answer of a turn.
    if (open === 0) verdict = manager.judge(delta, 1);
    await verdict?.catch(() => undefined);
    throwIfCancelled(run.signal);
    yield* unstreamed;
  };

  const abort = (): void => run.abort();
  yield* mergeStreams(speakers.map(speak), abort);
  const stop = await verdict;
  if (stop) return { kind: 'stop', message: stop };
  return yield* collectEmitted((emit) => manager.advance(contextOf(round, emit)), abort);
}

function contextOf({ containers, run }: Round, emit: (item: ChatItem) => void): RunContext {
  return {
    signal: run.signal,
    emit,
    broadcast(messages) {
      for (const container of containers.values()) container.deliver(messages);
    },
    async resetParticipants() {
      for (const container of containers.values()) await container.reset();
    },
  };
}
