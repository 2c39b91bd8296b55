import type { Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import { InvalidOptionError, InvalidSnapshotError } from '../errors.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import type { Signal } from '../signal/signal.ts';

/** A text that ends the run when somebody says it and nothing else. */
export interface StopText {
  readonly text: string;
  /** Whose word counts; anybody's if missing. */
  readonly from?: readonly string[];
}

/** Limits a user declares. What is missing does not bind. */
export interface LimitOptions {
  /** Messages in all, nested chats included. The one that reaches it is the last. At least 1. */
  readonly maxMessages?: number;
  /** Messages of the outermost conversation. The one that reaches it is the last. At least 1. */
  readonly maxTurns?: number;
  /** Milliseconds the run may take, waiting for people not counted. Exceeding it trips at the next signal. At least 1. */
  readonly maxRunMs?: number;
  /** Messages that end the run. Outer white space aside, the message must be exactly the text. */
  readonly stopTexts?: readonly StopText[];
}

interface Counters {
  messages: number;
  turns: number;
  startedAt: number | null;
  waitedMs: number;
}

/** Trips when a limit that a user declared is reached. */
export class LimitDetector implements Detector {
  readonly kind = 'limit';
  readonly #maxMessages: number;
  readonly #maxTurns: number;
  readonly #maxRunMs: number;
  readonly #stopTexts: readonly StopText[];
  #counters: Counters = { messages: 0, turns: 0, startedAt: null, waitedMs: 0 };

  constructor({ maxMessages, maxTurns, maxRunMs, stopTexts = [] }: LimitOptions = {}) {
    this.#maxMessages = ifGiven(maxMessages, (n) => integer('maxMessages', n, 1));
    this.#maxTurns = ifGiven(maxTurns, (n) => integer('maxTurns', n, 1));
    this.#maxRunMs = ifGiven(maxRunMs, (n) => finite('maxRunMs', n, 1));
    for (const { text } of stopTexts) {
      if (typeof text !== 'string' || text.trim() === '')
        throw new InvalidOptionError('stopTexts', 'texts with a word in them', text);
    }
    this.#stopTexts = stopTexts.map(({ text, from }) => ({
      text: text.trim(),
      ...(from && { from: [...from] }),
    }));
  }

  observe({ signal, index, overdue }: Step): Finding | undefined {
    this.#count(signal);
    if (overdue !== undefined) {
      const { tool, waitedMs, maxWaitMs } = overdue;
      return this.#reached(signal, index, `ms of waiting for '${tool}'`, waitedMs, maxWaitMs);
    }
    const { messages, turns, startedAt, waitedMs } = this.#counters;
    const runMs = signal.at - (startedAt ?? signal.at) - waitedMs;
    if (runMs > this.#maxRunMs) {
      return this.#reached(signal, index, 'run time in ms', runMs, this.#maxRunMs);
    }
    if (signal.kind !== 'message') return undefined;
    if (messages >= this.#maxMessages) {
      return this.#reached(signal, index, 'number of messages', messages, this.#maxMessages);
    }
    if (turns >= this.#maxTurns) {
      return this.#reached(signal, index, 'number of turns', turns, this.#maxTurns);
    }
    const said = signal.text.trim();
    const stopText = this.#stopTexts.find(
      ({ text, from }) => text === said && (from?.includes(signal.agent) ?? true),
    );
    return stopText && this.#reached(signal, index, `stop text '${stopText.text}'`, 1, 1);
  }

  reset(): void {
    this.#counters = { messages: 0, turns: 0, startedAt: null, waitedMs: 0 };
  }

  snapshot(): JsonValue {
    return { ...this.#counters };
  }

  restore(snapshot: JsonValue): void {
    const { messages, turns, startedAt, waitedMs } = Object(snapshot);
    const isCounters =
      [messages, turns, waitedMs].every(Number.isFinite) &&
      (startedAt === null || Number.isFinite(startedAt));
    if (!isCounters) throw new InvalidSnapshotError('limit', 'counters of limits', snapshot);
    this.#counters = { messages, turns, startedAt, waitedMs };
  }

  #count(signal: Signal): void {
    const counters = this.#counters;
    counters.startedAt ??= signal.at;
    if (signal.kind === 'human-input') {
      // A wait that began before the run, or beside another one, has taken no more time than has passed.
      const passedMs = Math.max(0, signal.at - counters.startedAt - counters.waitedMs);
      counters.waitedMs += Math.min(signal.waitedMs ?? 0, passedMs);
    }
    if (signal.kind !== 'message') return;
    counters.messages++;
    if ((signal.depth ?? 0) === 0) counters.turns++;
  }

  #reached(signal: Signal, index: number, subject: string, count: number, limit: number): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason: `the declared limit is reached: ${subject}, ${count} of ${limit}`,
      evidence: { agents: [signal.agent], indices: [index], count, limit, subject },
    };
  }
}

function ifGiven(value: number | undefined, check: (value: number) => number): number {
  return value === undefined ? Number.POSITIVE_INFINITY : check(value);
}
