import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { GroupChatError, invalidOption } from '../errors.ts';
import { joinedSignal, type StepWork } from '../taps/tap.ts';
import type { Stop } from './stop.ts';

/** What ends a chat from outside. */
export interface ChatLimits {
  /** Ends the chat when it aborts; the chat still gives its result. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How many milliseconds the chat may take, the waits for models, tools, code and people included; at most 2,147,483,647.
   * @defaultValue no limit
   */
  readonly timeoutMs?: number | undefined;
}

/** The reason of the signal by which a cancelled chat ends what it waits for. */
export class ChatCancelled extends GroupChatError {
  override readonly name = 'ChatCancelled';
  readonly stop: Stop;

  constructor(stop: Stop, options?: ErrorOptions) {
    super('CANCELLED', stop.reason, options);
    this.stop = stop;
  }
}

const LONGEST_TIMER_MS = 2_147_483_647;

/** The signal of the chat that is running, its outer chats included. */
const current = new AsyncLocalStorage<AbortSignal>();

/** Runs a chat within its limits, and within those of the chats around it. */
export async function withinLimits<T>(limits: ChatLimits, work: () => Promise<T>): Promise<T> {
  const { signal, timeoutMs } = checkLimits(limits);
  if (signal === undefined && timeoutMs === undefined) return work();
  const controller = new AbortController();
  const cancel = (): void => controller.abort(cancelledBy(signal?.reason));
  const timer =
    timeoutMs !== undefined &&
    setTimeout(() => controller.abort(new ChatCancelled(timedOut(timeoutMs))), timeoutMs);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const joined = joinedSignal(current.getStore(), controller.signal) as AbortSignal;
  try {
    return await current.run(joined, work);
  } finally {
    if (timer !== false) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** The signal of the chat in which this is called; `undefined` where nothing can cancel it. */
export function chatSignal(): AbortSignal | undefined {
  return current.getStore();
}

/** Why the chat in which this is called is cancelled; `undefined` while it is not. */
export function cancellation(): Stop | undefined {
  const reason: unknown = chatSignal()?.reason;
  return reason instanceof ChatCancelled ? reason.stop : undefined;
}

/** Waits for work, but no longer than until the chat is cancelled; the work gets a signal that says so. */
export function untilCancelled<T>(work: StepWork<T>, given?: AbortSignal): Promise<T> {
  return untilAborted(work, given, (reject) => reject());
}

/** The same for work that takes steps of its own: their waits end first. */
export function unlessHung<T>(work: StepWork<T>): Promise<T> {
  return untilAborted(work, undefined, setImmediate);
}

function untilAborted<T>(
  work: StepWork<T>,
  given: AbortSignal | undefined,
  soon: (reject: () => void) => unknown,
): Promise<T> {
  const signal = chatSignal();
  if (signal === undefined) return work(given);
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = (): unknown => soon(() => reject(signal.reason));
    // Any number of steps may run side by side, and each listens.
    setMaxListeners(0, signal);
    // Before the work begins, so that it is left before it can turn the signal into a result.
    signal.addEventListener('abort', abort, { once: true });
    work(joinedSignal(given, signal))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function cancelledBy(reason: unknown): ChatCancelled {
  const { name, message } = Object(reason) as {
    readonly name?: unknown;
    readonly message?: unknown;
  };
  const told = typeof message === 'string' ? message : String(reason);
  const kind = name === 'TimeoutError' ? 'timeout' : 'cancelled';
  return new ChatCancelled({ kind, reason: `the chat was cancelled: ${told}` }, { cause: reason });
}

function timedOut(timeoutMs: number): Stop {
  const reason = `the chat did not end within ${timeoutMs} ms (timeoutMs)`;
  return { kind: 'timeout', reason };
}

function checkLimits({ signal, timeoutMs }: ChatLimits): ChatLimits {
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidOption('signal', 'an AbortSignal', signal);
  }
  const isTime = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS;
  if (timeoutMs === undefined || isTime) return { signal, timeoutMs };
  const expected = `a number of milliseconds above 0, at most ${LONGEST_TIMER_MS}`;
  throw invalidOption('timeoutMs', expected, timeoutMs);
}
