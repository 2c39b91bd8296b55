import type { JsonValue } from '../../json.ts';
import { hashText, mixHash } from '../hash.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredList, restoredNumbers } from '../restored.ts';

const MAX_FIELDS = 512;

/** Finds fields of arguments that only count the calls, such as a running number of thoughts. */
export class CallCounters {
  readonly #last: RecentMap<number, number> = new RecentMap(MAX_FIELDS);

  /** The arguments without the fields that went up by one since the last call of the tool. */
  without(tool: number, args: JsonValue): JsonValue {
    if (!isRecord(args)) return args;
    let counters: Set<string> | undefined;
    for (const [name, value] of Object.entries(args)) {
      if (typeof value !== 'number') continue;
      const field = mixHash(tool, hashText(name));
      if (this.#last.get(field) === value - 1) counters = (counters ?? new Set()).add(name);
      this.#last.set(field, value);
    }
    if (counters === undefined) return args;
    return Object.fromEntries(Object.entries(args).filter(([name]) => !counters.has(name)));
  }

  clear(): void {
    this.#last.clear();
  }

  snapshot(): JsonValue {
    return this.#last.entries();
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#last.clear();
    for (const entry of restoredList(path, snapshot)) {
      const [field = 0, value = 0] = restoredNumbers(path, entry);
      this.#last.set(field, value);
    }
  }
}

/** A result without the fields that only say again what was asked. @internal */
export function withoutEcho(result: JsonValue, args: JsonValue): JsonValue {
  if (!isRecord(result) || !isRecord(args)) return result;
  const names = Object.keys(result).filter((name) => result[name] === args[name]);
  if (names.length === 0) return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => !names.includes(name)));
}

function isRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
