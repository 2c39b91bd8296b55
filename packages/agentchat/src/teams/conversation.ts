import { setImmediate } from 'node:timers/promises';
import type { ChatItem } from '../messages/chat-item.ts';
import type { StopMessage } from '../messages/stop-message.ts';
import { isRefusal, refusalReason } from '../tools/refusal.ts';
import type { GroupChatManager, RunContext, Start, Step } from './group-chat-manager.ts';
import { live } from './live.ts';
import { runFailure, throwIfCancelled } from './run-failure.ts';
import type { Seat } from './seat.ts';
import { together } from './together.ts';

/** Those who talk in one run, and what ends it early. */
interface Round {
  readonly manager: GroupChatManager;
  readonly seats: ReadonlyMap<string, Seat>;
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
  seats: ReadonlyMap<string, Seat>,
  start: Start,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatItem, RunEnd> {
  const run = new AbortController();
  const cancel = (): void => run.abort(signal?.reason);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const round: Round = { manager, seats, run };
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
  const { manager, seats, run } = round;
  let open = speakers.length;
  let verdict: Promise<StopMessage | null> | undefined;

  const speak = async function* (name: string): AsyncGenerator<ChatItem, void> {
    const seat = seats.get(name);
    if (seat === undefined) throw new Error(`no seat for ${name}`);
    const { delta, said, unseen } = yield* seat.ask(run.signal);
    for (const other of seats.values()) if (other !== seat) other.tell(said);
    await manager.record(delta);
    open -= 1;
    // Only what the last speaker of a turn said is judged.
    if (open === 0) verdict = manager.judge(delta, 1);
    await verdict?.catch(() => undefined);
    throwIfCancelled(run.signal);
    yield* unseen;
  };

  const abort = (): void => run.abort();
  yield* together(speakers.map(speak), abort);
  const stop = await verdict;
  if (stop) return { kind: 'stop', message: stop };
  return yield* live((emit) => manager.advance(contextOf(round, emit)), abort);
}

function contextOf({ seats, run }: Round, emit: (item: ChatItem) => void): RunContext {
  return {
    signal: run.signal,
    emit,
    broadcast(messages) {
      for (const seat of seats.values()) seat.tell(messages);
    },
    async resetParticipants() {
      for (const seat of seats.values()) await seat.reset();
    },
  };
}
