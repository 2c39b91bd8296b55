import { hashText, mixHash } from '../analysis/hash.ts';
import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredList,
  restoredNumber,
  restoredNumbers,
  restoredRecord,
} from '../analysis/restored.ts';
import type { Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { integer } from '../options.ts';
import type { NestedStartSignal } from '../signal.ts';

/** Options of {@link NestedCascadeDetector}. */
export interface NestedCascadeOptions {
  /**
   * How many times one trigger may start the same nested chat without the outer conversation getting on.
   * @defaultValue 4
   */
  readonly limit?: number;
  /**
   * How many nested chats deep a conversation may go; the next one trips.
   * @defaultValue 5
   */
  readonly maxDepth?: number;
  /**
   * How many nested chats may be started in all; the next one trips.
   * @defaultValue 50
   */
  readonly maxTotal?: number;
}

const MAX_TRIGGERS = 256;
/** A chat that is inside itself so often is a recursion, whatever depth is allowed. */
const MAX_SELF_NESTING = 3;

/**
 * Trips when nested chats are started over and over, inside one another, or in too great a number.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new NestedCascadeDetector({ maxDepth: 1 });
 * const start = (depth: number) =>
 *   detector.observe(
 *     analyzer.observe({
 *       kind: 'nested-start', at: depth, agent: 'lead', chatId: `c${depth}`, depth,
 *       path: ['lead', `c${depth}`], trigger: 'tool:spawn',
 *     }),
 *   )?.kind;
 * start(1); // => undefined
 * start(2); // => 'nested-cascade'
 * ```
 */
export class NestedCascadeDetector implements Detector {
  readonly kind = 'nested-cascade';
  readonly #limit: number;
  readonly #maxDepth: number;
  readonly #maxTotal: number;
  readonly #triggers: RecentMap<number, readonly number[]> = new RecentMap(MAX_TRIGGERS);
  #total = 0;

  /** @throws {@link InvalidOptionError} */
  constructor({ limit = 4, maxDepth = 5, maxTotal = 50 }: NestedCascadeOptions = {}) {
    this.#limit = integer('nestedCascade.limit', limit, 1, 1000);
    this.#maxDepth = integer('nestedCascade.maxDepth', maxDepth, 0);
    this.#maxTotal = integer('nestedCascade.maxTotal', maxTotal, 0);
  }

  observe(step: Step): Finding | undefined {
    const { signal, index } = step;
    if (step.isPerson) this.#triggers.clear();
    if (signal.kind !== 'nested-start') {
      // Getting on outside moves the conversation past its triggers.
      if ((signal.depth ?? 0) === 0 && step.idleness === 0) this.#triggers.clear();
      return undefined;
    }
    this.#total++;
    const { depth, path, chatId } = signal;
    const nesting = path.filter((name) => name === chatId).length;
    const starts = [...(this.#triggers.get(triggerKey(signal)) ?? []), index];
    this.#triggers.set(triggerKey(signal), starts.slice(-this.#limit));
    if (this.#total > this.#maxTotal) {
      const reason = `${this.#total} nested chats were started, and ${this.#maxTotal} are allowed`;
      return this.#found(signal, reason, [index], this.#total, this.#maxTotal);
    }
    if (depth > this.#maxDepth) {
      const reason = `a nested chat was started ${depth} deep, and ${this.#maxDepth} is allowed`;
      return this.#found(signal, reason, [index], depth, this.#maxDepth);
    }
    if (nesting >= MAX_SELF_NESTING) {
      const reason = `'${chatId}' was started inside itself: ${path.join(' → ')}`;
      return this.#found(signal, reason, [index], nesting, MAX_SELF_NESTING);
    }
    if (starts.length <= this.#limit) return undefined;
    const reason = `'${signal.trigger}' started the same nested chat ${starts.length} times, and nothing came of it`;
    return this.#found(signal, reason, starts, starts.length, this.#limit);
  }

  reset(): void {
    this.#triggers.clear();
    this.#total = 0;
  }

  snapshot(): JsonValue {
    return {
      total: this.#total,
      triggers: this.#triggers.entries().map(([key, starts]) => [key, [...starts]]),
    };
  }

  restore(snapshot: JsonValue): void {
    const { total, triggers } = restoredRecord('nested-cascade', snapshot);
    this.#total = restoredNumber('nested-cascade.total', total);
    this.#triggers.clear();
    for (const entry of restoredList('nested-cascade.triggers', triggers)) {
      const [key, starts] = restoredList('nested-cascade.triggers', entry);
      this.#triggers.set(
        restoredNumber('nested-cascade.triggers', key),
        restoredNumbers('nested-cascade.triggers', starts),
      );
    }
  }

  #found(
    { agent, trigger }: NestedStartSignal,
    reason: string,
    indices: readonly number[],
    count: number,
    limit: number,
  ): Finding {
    return {
      level: 'trip',
      kind: this.kind,
      reason,
      evidence: { agents: [agent], indices, count, limit, subject: trigger },
    };
  }
}

/** The same agent, the same trigger and the same task; without a task, the same chat. */
function triggerKey({ agent, trigger, text, chatId }: NestedStartSignal): number {
  return mixHash(mixHash(hashText(agent), hashText(trigger)), hashText(text ?? chatId));
}
