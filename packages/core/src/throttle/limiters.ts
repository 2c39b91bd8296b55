import { given } from '../common/options.ts';
import { OWNERS } from '../signal/owners.ts';
import { safeName } from '../signal/parse-signal.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import { Limiter } from './limiter.ts';
import {
  type CheckedThrottle,
  checkThrottle,
  type ThrottleLimits,
  type ThrottleOptions,
} from './throttle-options.ts';

const LIMITED = OWNERS.filter((one) => one.owner !== 'agent');

/** So many limiters are looked at with each call, to forget those that are idle. */
const LOOKS = 2;

/** The limiters of calls, as far as they are limited. */
export class Limiters {
  #options: CheckedThrottle;
  /** By name, the least recently used first. The idle ones go. */
  readonly #limiters: Map<
    string,
    { readonly limiter: Limiter; readonly limits: () => ThrottleLimits }
  > = new Map();

  constructor(options: ThrottleOptions) {
    this.#options = told(checkThrottle(options));
    this.isAny = hasLimit(this.#options);
  }

  /** Whether any limit is declared. */
  isAny: boolean;

  /** The limiter of all calls, if it is limited. */
  get whole(): Limiter | undefined {
    return isLimit(this.#options) ? this.#limiters.get('')?.limiter : undefined;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#limiters.size;
  }

  get options(): CheckedThrottle {
    return this.#options;
  }

  /** Changes the given limits, which are checked. */
  change(changed: ThrottleOptions): void {
    const before = this.#options;
    const merged = { ...before, ...given(changed) };
    for (const { each, single } of LIMITED) {
      merged[each] = { ...before[each], ...given(changed[each]) };
      const all = { ...before[single] };
      for (const [name, limits] of Object.entries(changed[single] ?? {})) {
        all[name] = { ...all[name], ...given(limits) };
      }
      merged[single] = all;
    }
    this.#options = told(merged);
    this.isAny = hasLimit(this.#options);
    for (const { limiter, limits } of this.#limiters.values()) limiter.limits = limits();
  }

  /** The limiters of a call that are limited. */
  of(call: ModelRequestSignal, now: number): readonly Limiter[] {
    this.#forgetIdle(now);
    const limiters: Limiter[] = [];
    const add = (name: string, limits: () => ThrottleLimits): void => {
      if (isLimit(limits())) limiters.push(this.#limiter(name, limits));
    };
    add('', () => this.#options);
    for (const { owner, each, single } of LIMITED) {
      const name = call[owner];
      if (name === undefined || name === '') continue;
      const own = (): ThrottleLimits => {
        const { [each]: perOne, [single]: named = {} } = this.#options;
        return { ...perOne, ...(Object.hasOwn(named, name) ? named[name] : undefined) };
      };
      add(`${owner}:${name}`, own);
    }
    return limiters;
  }

  #limiter(name: string, limits: () => ThrottleLimits): Limiter {
    const known = this.#limiters.get(name);
    this.#limiters.delete(name);
    const { limiter } = known ?? { limiter: new Limiter(limits()) };
    this.#limiters.set(name, { limiter, limits });
    return limiter;
  }

  #forgetIdle(now: number): void {
    let looks = LOOKS;
    for (const [name, one] of this.#limiters) {
      if (looks-- === 0) break;
      this.#limiters.delete(name);
      if (!one.limiter.isIdle(now)) this.#limiters.set(name, one);
    }
  }
}

/** With owners by the names by which calls tell of them. */
function told(options: CheckedThrottle): CheckedThrottle {
  const own = Object.fromEntries(
    LIMITED.filter(({ single }) => single !== 'models' && options[single]).map(({ single }) => {
      const named = Object.entries(options[single] ?? {});
      return [single, Object.fromEntries(named.map(([name, limits]) => [safeName(name), limits]))];
    }),
  );
  return { ...options, ...own };
}

function isLimit({ maxRpm, maxConcurrent }: ThrottleLimits = {}): boolean {
  return maxRpm !== undefined || maxConcurrent !== undefined;
}

function hasLimit(options: CheckedThrottle): boolean {
  const owned = LIMITED.flatMap(({ each, single }) => [
    options[each],
    ...Object.values(options[single] ?? {}),
  ]);
  return [options, ...owned].some(isLimit);
}
