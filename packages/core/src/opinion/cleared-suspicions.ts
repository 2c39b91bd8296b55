import {
  restoredFlag,
  restoredList,
  restoredNumber,
  restoredNumbers,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Found } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { Signal } from '../signal/signal.ts';

/** A stretch of the conversation that was said to be no loop of one kind. */
interface Cleared {
  readonly first: number;
  readonly last: number;
  /** Depth of the conversation that it was said of. */
  readonly depth: number;
  /** Whether somebody has said so; nobody may have been able to answer. */
  readonly isAnswered: boolean;
  /** Where it was suspected last, asked about or not. */
  seenAt: number;
}

/** A finding that somebody is to be asked about, with the depth of the conversation that it is about. @internal */
export interface Suspicion extends Found {
  readonly depth: number;
}

/** Deeper conversations count as one. */
const MAX_DEPTH = 32;

/**
 * What was said to be no loop, so that the same is not asked over and over.
 *
 * A kind may be asked about again once the conversation has gone on for as long again as what was cleared, which is then
 * twice as long: an endless loop is asked about ever more rarely. A loop that began after something new is another one.
 * @internal
 */
export class ClearedSuspicions {
  readonly #cleared: Map<string, Cleared> = new Map();
  /** For each depth, where something new came last. */
  #newAt: number[] = [];

  /** Whether `found` is to be asked about, rather than to be part of what was cleared. */
  mayAsk(found: Found): boolean {
    const cleared = this.#standing(found);
    if (cleared === undefined) return true;
    cleared.seenAt = Math.max(cleared.seenAt, found.index);
    if (!cleared.isAnswered && found.finding.level === 'trip') return true;
    const length = cleared.last - cleared.first + 1;
    return found.index >= cleared.last + length;
  }

  /** Takes the answer that `found` is no loop, or that nobody could answer: what is in doubt then is not asked again. */
  clear(found: Suspicion, isAnswered: boolean): void {
    const { index: last, finding, depth } = found;
    const first = Math.min(firstOf(found), this.#standing(found)?.first ?? last);
    this.#cleared.set(finding.kind, { first, last, depth, isAnswered, seenAt: last });
  }

  /** Takes a signal that brought something new. */
  moveOn(index: number, { depth = 0 }: Signal): void {
    this.#newAt[Math.min(depth, MAX_DEPTH)] = index;
  }

  snapshot(): JsonValue {
    return {
      cleared: [...this.#cleared].map(([kind, { first, last, depth, isAnswered, seenAt }]) => [
        kind,
        first,
        last,
        depth,
        isAnswered,
        seenAt,
      ]),
      newAt: Array.from(this.#newAt, (index = -1) => index),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  static from(snapshot: JsonValue): ClearedSuspicions {
    const restored = new ClearedSuspicions();
    const { cleared, newAt } = restoredRecord('cleared', snapshot);
    restored.#newAt = [...restoredNumbers('cleared.newAt', newAt)];
    for (const entry of restoredList('cleared', cleared)) {
      const [kind, first, last, depth, isAnswered, seenAt] = restoredList('cleared', entry);
      restored.#cleared.set(restoredText('cleared.kind', kind), {
        first: restoredNumber('cleared.first', first),
        last: restoredNumber('cleared.last', last),
        depth: restoredNumber('cleared.depth', depth),
        isAnswered: restoredFlag('cleared.isAnswered', isAnswered),
        seenAt: restoredNumber('cleared.seenAt', seenAt),
      });
    }
    return restored;
  }

  /** What was cleared of this kind, unless it is over: suspected no more, and then something new before it began anew. */
  #standing(found: Found): Cleared | undefined {
    const cleared = this.#cleared.get(found.finding.kind);
    if (cleared === undefined) return undefined;
    const { seenAt, depth } = cleared;
    const hasMovedOn = this.#newAt.slice(0, depth + 1).some((index) => index > seenAt);
    return hasMovedOn && firstOf(found) > seenAt ? undefined : cleared;
  }
}

function firstOf({ finding, index }: Found): number {
  return finding.evidence.indices[0] ?? index;
}
