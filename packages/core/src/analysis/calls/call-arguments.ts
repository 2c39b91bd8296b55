import type { JsonValue } from '../../json.ts';
import { hashText, mixHash } from '../hash.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredNumber, restoredNumbers } from '../restored.ts';

const MAX_FIELDS = 512;
/** No field counts the calls. */
export const NO_COUNTERS: ReadonlySet<string> = new Set();

interface Count {
  readonly value: number;
  readonly step: number;
}

/** Finds fields of arguments that only count the calls, such as a running number of thoughts, a page or an offset. */
export class CallCounters {
  readonly #last: RecentMap<number, Count> = new RecentMap(MAX_FIELDS);

  /** The fields that went up by one since the last call of the tool, or by as much as before. */
  of(tool: number, args: JsonValue): ReadonlySet<string> {
    if (!isRecord(args)) return NO_COUNTERS;
    let counters: Set<string> | undefined;
    for (const [name, value] of Object.entries(args)) {
      if (typeof value !== 'number') continue;
      const field = mixHash(tool, hashText(name));
      const last = this.#last.get(field);
      const step = value - (last?.value ?? value);
      if (step === 1 || (step > 0 && step === last?.step)) {
        counters = (counters ?? new Set()).add(name);
      }
      // A step beyond all numbers cannot be kept as JSON.
      this.#last.set(field, { value, step: Number.isFinite(step) ? step : 0 });
    }
    return counters ?? NO_COUNTERS;
  }

  clear(): void {
    this.#last.clear();
  }

  snapshot(): JsonValue {
    return this.#last.entries().map(([field, { value, step }]) => [field, value, step]);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#last.clear();
    for (const entry of restoredList(path, snapshot)) {
      const [field, value, step] = restoredNumbers(path, entry);
      this.#last.set(restoredNumber(path, field), {
        value: restoredNumber(path, value),
        step: restoredNumber(path, step),
      });
    }
  }
}

/** An object without the fields in `names`. @internal */
export function without(fields: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (!isRecord(fields) || names.size === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));
}

/** A result without the fields that only say again what was asked. @internal */
export function withoutEcho(result: JsonValue, args: JsonValue): JsonValue {
  if (!isRecord(result) || !isRecord(args)) return result;
  return without(
    result,
    new Set(Object.keys(result).filter((name) => result[name] === args[name])),
  );
}

function isRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
