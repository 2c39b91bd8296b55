import { setImmediate } from 'node:timers/promises';
import { isRefusal, refusalReason } from '@teamfuse/python-compat';
import { collectEmitted } from '../async/collect-emitted.ts';
import type { StopMessage } from '../messages/chat/stop-message.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import type { GroupChatManager, RunContext, Start, Step } from './group-chat-manager.ts';
import type { ParticipantContainer } from './participant-container.ts';
import { runFailure, throwIfCancelled } from './run-failure.ts';
import { type Round, Turn } from './turn.ts';

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
    for (const item of emitted) yield item;
    if (opening.kind === 'refused') return await refusedEnd(manager, opening.refusal);
    let step: Step = opening;
    let turn: Turn | undefined;
    try {
      while (step.kind === 'speak') {
        // Without this, a team whose agents never wait would block timers and signals.
        await setImmediate();
        throwIfCancelled(signal);
        turn = new Turn(round, step.speakers);
        yield* turn.items;
        const message = await turn.verdict;
        step = message ? { kind: 'stop', message } : yield* advance(round);
      }
      isOver = true;
      return { message: step.message };
    } catch (error) {
      if (signal?.aborted === true || !isRefusal(error)) throw runFailure(error, signal);
      return await refusedEnd(manager, error, turn?.unanswered);
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

/** Ends a run after a guard's refusal, in the midst of the turn of these speakers if there are any. */
async function refusedEnd(
  manager: GroupChatManager,
  refusal: unknown,
  speakers: readonly string[] = [],
): Promise<RunEnd> {
  return { message: await manager.refused(refusalReason(refusal) ?? '', speakers), refusal };
}

/** Chooses who speaks next, and yields what that makes known. */
function advance(round: Round): AsyncGenerator<ChatItem, Step> {
  const { manager, run } = round;
  return collectEmitted(
    (emit) => manager.advance(contextOf(round, emit)),
    () => run.abort(),
  );
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
