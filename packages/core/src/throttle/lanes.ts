import { boundName } from '../signal/parse-signal.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import { Lane } from './lane.ts';
import {
  type CheckedThrottle,
  checkThrottle,
  type ThrottleLimits,
  type ThrottleOptions,
} from './throttle-options.ts';

/** What lanes are named after, with the limits of each and those of single ones. */
const OWNERS = [
  { field: 'user', each: 'perUser', single: 'users' },
  { field: 'team', each: 'perTeam', single: 'teams' },
  { field: 'key', each: 'perKey', single: 'keys' },
  { field: 'model', each: 'perModel', single: 'models' },
] as const;

/** So many lanes are looked at with each call, to forget those that are idle. */
const LOOKS = 2;

/** The lanes of calls, as far as they are limited. */
export class Lanes {
  #options: CheckedThrottle;
  /** By name, the least recently used first. The idle ones go. */
  readonly #lanes: Map<string, { readonly lane: Lane; readonly limits: () => ThrottleLimits }> =
    new Map();

  constructor(options: ThrottleOptions) {
    this.#options = told(checkThrottle(options));
    this.isAny = hasLimit(this.#options);
  }

  /** Whether any limit is declared. */
  isAny: boolean;

  /** The lane of all calls, if it is limited. */
  get whole(): Lane | undefined {
    return isLimit(this.#options) ? this.#lanes.get('')?.lane : undefined;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#lanes.size;
  }

  get options(): CheckedThrottle {
    return this.#options;
  }

  /** Changes the given limits. @throws {@link InvalidOptionError} */
  change(given: ThrottleOptions): void {
    checkThrottle(given);
    const before: ThrottleOptions = this.#options;
    const merged: Record<string, unknown> = { ...before, ...without(given) };
    for (const { each, single } of OWNERS) {
      merged[each] = { ...before[each], ...without(given[each]) };
      const all = { ...before[single] };
      for (const [name, limits] of Object.entries(given[single] ?? {})) {
        all[name] = { ...all[name], ...without(limits) };
      }
      merged[single] = all;
    }
    this.#options = told(checkThrottle(merged));
    this.isAny = hasLimit(this.#options);
    for (const { lane, limits } of this.#lanes.values()) lane.limits = limits();
  }

  /** The lanes of a call that are limited. */
  of(call: ModelRequestSignal, now: number): readonly Lane[] {
    this.#forgetIdle(now);
    const lanes: Lane[] = [];
    const add = (name: string, limits: () => ThrottleLimits): void => {
      if (isLimit(limits())) lanes.push(this.#lane(name, limits));
    };
    add('', () => this.#options);
    for (const { field, each, single } of OWNERS) {
      const name = call[field];
      if (name === undefined || name === '') continue;
      const own = (): ThrottleLimits => {
        const { [each]: perOne, [single]: named = {} } = this.#options;
        return { ...perOne, ...(Object.hasOwn(named, name) ? named[name] : undefined) };
      };
      add(`${field}:${name}`, own);
    }
    return lanes;
  }

  #lane(name: string, limits: () => ThrottleLimits): Lane {
    const known = this.#lanes.get(name);
    this.#lanes.delete(name);
    const { lane } = known ?? { lane: new Lane(limits()) };
    this.#lanes.set(name, { lane, limits });
    return lane;
  }

  #forgetIdle(now: number): void {
    let looks = LOOKS;
    for (const [name, one] of this.#lanes) {
      if (looks-- === 0) break;
      this.#lanes.delete(name);
      if (!one.lane.isIdle(now)) this.#lanes.set(name, one);
    }
  }
}

/** With owners by the names by which calls tell of them. */
function told(options: CheckedThrottle): CheckedThrottle {
  const own = Object.fromEntries(
    OWNERS.filter(({ single }) => single !== 'models' && options[single]).map(({ single }) => {
      const named = Object.entries(options[single] ?? {});
      return [single, Object.fromEntries(named.map(([name, limits]) => [boundName(name), limits]))];
    }),
  );
  return { ...options, ...own };
}

function isLimit({ maxRpm, maxConcurrent }: ThrottleLimits = {}): boolean {
  return maxRpm !== undefined || maxConcurrent !== undefined;
}

function hasLimit(options: CheckedThrottle): boolean {
  const owned = OWNERS.flatMap(({ each, single }) => [
    options[each],
    ...Object.values(options[single] ?? {}),
  ]);
  return [options, ...owned].some(isLimit);
}

/** Without `undefined` values. */
function without<T extends object>(limits: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(limits ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
