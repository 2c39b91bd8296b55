import { restoredNumbers, restoredRecord } from '../analysis/restored.ts';
import type { Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import { type Growth, Snowball } from './snowball.ts';

/** Options of {@link HistoryDriftDetector}. */
export interface HistoryDriftOptions {
  /**
   * How many times larger the late average has to be than the early one. At least 1.
   * @defaultValue 3
   */
  readonly ratio?: number;
  /**
   * Over how many messages, or model calls, each average is taken.
   * @defaultValue 5
   */
  readonly windowTurns?: number;
  /**
   * For how many turns nothing new has to have been said: growth by new content is no drift. Twice as many for prompts,
   * which grow in any long conversation.
   * @defaultValue 3
   */
  readonly idleTurns?: number;
}

/** Prompts grow in any long conversation, so that it takes longer to be sure of them. */
const PROMPT_FACTOR = 2;

/** Sizes in tokens: the first few, and the latest few with the indices of their signals. */
interface Series {
  readonly first: number[];
  readonly late: number[];
  readonly indices: number[];
}

/**
 * Trips when turns cost more and more history although nothing new is in it.
 *
 * Compares the latest messages with the first ones, and the prompts of the latest model calls with the first, where
 * usage is reported. All of the latest have to be so large and to lie in the stretch without progress: one long paste
 * is no drift. It is soon evident where each message carries the ones before along, in quotes of quotes: then each is
 * longer than the one before, whoever says it, and what it is longer by is old.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new HistoryDriftDetector({ windowTurns: 2, ratio: 3, idleTurns: 1 });
 * const say = (text: string) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at: 0, agent: text.length % 2 ? 'a' : 'b', text }))?.kind;
 * say('We meet on Monday.'); // => undefined
 * say('Monday it is then.'); // => undefined
 * say('As was said, Monday it is then, we meet on Monday, as was said.'); // => undefined
 * say('As was said, Monday it is then, we meet on Monday, as was said, Monday it is.'); // => 'history-drift'
 * ```
 */
export class HistoryDriftDetector implements Detector {
  readonly kind = 'history-drift';
  readonly #ratio: number;
  readonly #windowTurns: number;
  readonly #idleTurns: number;
  #messages: Series = emptySeries();
  #prompts: Series = emptySeries();
  readonly #snowball: Snowball;

  /** @throws {@link InvalidOptionError} */
  constructor({ ratio = 3, windowTurns = 5, idleTurns = 3 }: HistoryDriftOptions = {}) {
    this.#ratio = finite('historyDrift.ratio', ratio, 1);
    this.#windowTurns = integer('historyDrift.windowTurns', windowTurns, 1, 1000);
    this.#idleTurns = finite('historyDrift.idleTurns', idleTurns, 0);
    this.#snowball = new Snowball(ratio, windowTurns);
  }

  observe(step: Step): Finding | undefined {
    if (step.isPerson) {
      this.reset();
      return undefined;
    }
    const { signal } = step;
    if (signal.kind === 'message') {
      const drift = this.#drift(step, this.#messages, step.tokens, this.#idleTurns, 'messages');
      const growth = this.#snowball.observe(step);
      return growth === undefined ? drift : this.#carried(signal.agent, growth);
    }
    if (signal.kind === 'usage' && signal.inputTokens > 0) {
      const idleTurns = PROMPT_FACTOR * this.#idleTurns;
      return this.#drift(step, this.#prompts, signal.inputTokens, idleTurns, 'prompts');
    }
    return undefined;
  }

  reset(): void {
    this.#messages = emptySeries();
    this.#prompts = emptySeries();
    this.#snowball.clear();
  }

  snapshot(): JsonValue {
    return {
      messages: toJson(this.#messages),
      prompts: toJson(this.#prompts),
      snowball: this.#snowball.snapshot(),
    };
  }

  restore(snapshot: JsonValue): void {
    const { messages, prompts, snowball } = restoredRecord('history-drift', snapshot);
    this.#messages = fromJson('history-drift.messages', messages);
    this.#prompts = fromJson('history-drift.prompts', prompts);
    this.#snowball.restore('history-drift.snowball', snowball);
  }

  #carried(agent: string, { core, tokens, indices }: Growth): Finding {
    const ratio = (tokens / core).toFixed(1);
    const reason = `each message carries the ones before along, so that the latest is ${ratio} times as long as the first`;
    return this.#finding(agent, reason, indices, tokens, core, 'messages');
  }

  #drift(
    step: Step,
    series: Series,
    tokens: number,
    idleTurns: number,
    what: string,
  ): Finding | undefined {
    const { first, late, indices } = series;
    if (first.length < this.#windowTurns) {
      first.push(tokens);
      return undefined;
    }
    late.push(tokens);
    indices.push(step.index);
    if (late.length > this.#windowTurns) {
      late.shift();
      indices.shift();
    }
    const isIdle = step.idleTurns >= idleTurns && (indices[0] as number) >= step.idleSince;
    if (late.length < this.#windowTurns || !isIdle) return undefined;
    const early = Math.max(1, mean(first));
    const ratio = mean(late) / early;
    if (Math.min(...late) / early < this.#ratio) return undefined;
    const reason = `the latest ${what} are ${ratio.toFixed(1)} times as long as the first ones, with nothing new in them`;
    return this.#finding(step.signal.agent, reason, [...indices], mean(late), early, what);
  }

  #finding(
    agent: string,
    reason: string,
    indices: readonly number[],
    tokens: number,
    early: number,
    subject: string,
  ): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason,
      evidence: {
        agents: [agent],
        indices,
        count: Math.round(tokens),
        limit: Math.round(early * this.#ratio),
        ratio: tokens / early,
        subject,
      },
    };
  }
}

function emptySeries(): Series {
  return { first: [], late: [], indices: [] };
}

function mean(sizes: readonly number[]): number {
  let sum = 0;
  for (const size of sizes) sum += size;
  return sum / sizes.length;
}

function toJson({ first, late, indices }: Series): JsonValue {
  return { first: [...first], late: [...late], indices: [...indices] };
}

function fromJson(path: string, value: unknown): Series {
  const { first, late, indices } = restoredRecord(path, value);
  return {
    first: [...restoredNumbers(`${path}.first`, first)],
    late: [...restoredNumbers(`${path}.late`, late)],
    indices: [...restoredNumbers(`${path}.indices`, indices)],
  };
}
