import { setImmediate } from 'node:timers/promises';
import { collectEmitted } from '../async/collect-emitted.ts';
import { mergeStreams } from '../async/merge-streams.ts';
import type { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { isRefusal, refusalReason } from '../tools/refusal.ts';
import type { GroupChatManager, RunContext, Start, Step } from './group-chat-manager.ts';
import type { ParticipantContainer } from './participant-container.ts';
import { runFailure, throwIfCancelled } from './run-failure.ts';

/** Those who talk in one run, and what ends it early. */
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
 * One run of a team: yields what is said and seen, and returns why it stopped.
 *
 * Everything happens on demand: while nobody asks for the next item, no participant is asked either. What the start
 * throws is passed on as it is, what comes up later as a {@link RuntimeError}. A guard's refusal is no failure: it stops
 * the run in good order.
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
        // Where nobody waits for anything, neither timers nor signals would ever be heard.
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

/** The first step of a run. What it throws is the caller's to see as it is, a refusal apart. */
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

/** Ends a run that a guard has refused to go on with. */
async function refusedEnd(manager: GroupChatManager, refusal: unknown): Promise<RunEnd> {
  return { message: await manager.refused(refusalReason(refusal) ?? ''), refusal };
}

/** Lets the speakers speak, and finds out how the run goes on. */
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
    // Only what the last speaker of a turn said is judged.
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
