import { hashText } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import { isRefusedCall } from '../../signal/request.ts';
import { count, list, number } from '../../state/codec.ts';
import { RecentMap, SavedGroup, type Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import { isThought } from './tries.ts';

const MAX_AGENTS = 128;
/** What an agent does instead of a call that it does not get. */
const DEEDS: readonly string[] = ['tool-call', 'execution', 'nested-start', 'handoff'];
/** A new text of so many tokens is work, and no remark. */
const WORK_TOKENS = 20;

/** How often each agent has asked in a row for calls that the breaker refuses alone, and done nothing else. */
export class RefusedCalls implements Stateful {
  readonly #rows: RecentMap<number, readonly number[]> = new RecentMap(
    MAX_AGENTS,
    number,
    list(count),
  );

  /** Index of the latest signal by which each agent has thought. */
  readonly #thoughts: RecentMap<number, number> = new RecentMap(MAX_AGENTS, number, count);
  readonly #all = new SavedGroup({ rows: this.#rows, thoughts: this.#thoughts });

  /**
   * Takes in a step. Returns the indices of the latest refusals in a row, `max` at most, if it is one. Those that were asked for side
   * by side count as one: their agent has not thought since, or nobody since `thoughtAt` where it is never heard to.
   */
  add(step: AnalyzedSignal, thoughtAt: number, max: number): readonly number[] {
    const { signal, index, isPerson } = step;
    if (isPerson) this.#rows.clear();
    const agent = hashText(signal.agent);
    if (isThought(signal)) this.#thoughts.set(agent, index);
    if (!isRefusedCall(signal)) {
      if (isDeed(step)) this.#rows.delete(agent);
      return [];
    }
    const before = this.#rows.get(agent) ?? [];
    const latest = before.at(-1) ?? Number.NEGATIVE_INFINITY;
    if (latest >= (this.#thoughts.get(agent) ?? thoughtAt)) return [];
    const row = [...before, index].slice(-max);
    this.#rows.set(agent, row);
    return row;
  }

  clear(): void {
    this.#all.clear();
  }

  snapshot(): JsonValue {
    return this.#all.snapshot();
  }

  restore(path: string, json: unknown): void {
    // Missing in older snapshots.
    this.#all.restore(path, json ?? { rows: [], thoughts: [] });
  }
}

function isDeed({ signal, staleness, tokens }: AnalyzedSignal): boolean {
  const isText = signal.kind === 'message' && staleness === 0 && tokens >= WORK_TOKENS;
  return isText || DEEDS.includes(signal.kind);
}
