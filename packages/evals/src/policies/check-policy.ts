import { inspect } from 'node:util';
import type { BreakerOptions, Signal } from '@teamfuse/core';
import { FINDING_KINDS, type FindingKind } from '@teamfuse/core/detectors';
import type { StopPolicy, Watcher } from '../scores/watcher.ts';

const KINDS = `${FINDING_KINDS.join(', ')}, or custom:<name>`;

/**
 * A policy that somebody else has written, with its answers checked.
 *
 * @param place where it was written, for errors.
 * @throws Error that names the field and the value, now or when `watch()` or `observe()` is called.
 */
export function checkPolicy(given: unknown, place: string): StopPolicy {
  const { name, watch } = Object(given) as Partial<StopPolicy>;
  if (typeof name !== 'string' || name.trim() === '') {
    throw new Error(`${place}: expected 'name' to be a text that is not empty${received(name)}`);
  }
  if (typeof watch !== 'function') {
    throw new Error(`${place}: expected 'watch' to be a function${received(watch)}`);
  }
  return {
    name,
    watch: (options: BreakerOptions) => new CheckedWatcher(watch.call(given, options), name, place),
  };
}

class CheckedWatcher implements Watcher {
  readonly #watcher: Watcher;
  readonly #place: string;

  constructor(watcher: unknown, name: string, place: string) {
    this.#place = `${place}, policy '${name}'`;
    if (typeof Object(watcher).observe !== 'function') {
      const expected = "expected watch() to give an object with a function 'observe'";
      throw new Error(`${this.#place}: ${expected}${received(watcher)}`);
    }
    this.#watcher = watcher as Watcher;
  }

  observe(signal: Signal): FindingKind | undefined {
    const kind: unknown = this.#watcher.observe(signal);
    if (kind === undefined || isKind(kind)) return kind;
    const expected = `expected observe() to give undefined or one of ${KINDS}`;
    throw new Error(`${this.#place}: ${expected}${received(kind)} for a signal '${signal.kind}'`);
  }
}

function isKind(value: unknown): value is FindingKind {
  return (
    typeof value === 'string' &&
    (value.startsWith('custom:') || FINDING_KINDS.some((kind) => kind === value))
  );
}

function received(value: unknown): string {
  return `, received ${inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY })}`;
}
