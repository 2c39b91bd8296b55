import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';

/** Watches each agent by itself, as rules do that live in the loop of one agent. */
export class PerAgent implements Watcher {
  readonly #watch: () => Watcher;
  readonly #watchers: Map<string, Watcher> = new Map();

  constructor(watch: () => Watcher) {
    this.#watch = watch;
  }

  observe(signal: Signal): FindingKind | undefined {
    let watcher = this.#watchers.get(signal.agent);
    if (watcher === undefined) {
      watcher = this.#watch();
      this.#watchers.set(signal.agent, watcher);
    }
    return watcher.observe(signal);
  }
}
