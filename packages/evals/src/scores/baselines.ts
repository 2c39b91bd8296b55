import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import { exactDeed } from './exact-deed.ts';
import type { StopPolicy, Watcher } from './watcher.ts';

/** The rules that others use, each as it is usually described. */
export const BASELINES: readonly StopPolicy[] = [
  { name: 'same speaker and text 3x', watch: () => new SameText() },
  { name: 'same pair 3x in 20 turns', watch: () => new SamePair() },
  { name: 'cycles 1-8 3x in 32, exact', watch: () => new ExactCycles() },
  { name: 'cap of 25 turns', watch: () => new Cap() },
];

const REPEATS = 3;

class SameText implements Watcher {
  readonly #counts: Map<string, number> = new Map();

  observe(signal: Signal): FindingKind | undefined {
    const deed = exactDeed(signal);
    if (deed === undefined) return undefined;
    const count = (this.#counts.get(deed) ?? 0) + 1;
    this.#counts.set(deed, count);
    return count >= REPEATS ? 'repetition' : undefined;
  }
}

class SamePair implements Watcher {
  readonly #speakers: string[] = [];

  observe(signal: Signal): FindingKind | undefined {
    if (exactDeed(signal) === undefined) return undefined;
    this.#speakers.push(signal.agent);
    if (this.#speakers.length > 20) this.#speakers.shift();
    const [from, to] = this.#speakers.slice(-2);
    let count = 0;
    for (const [i, speaker] of this.#speakers.entries()) {
      if (from !== to && speaker === from && this.#speakers[i + 1] === to) count++;
    }
    return count >= REPEATS ? 'speaker-cycle' : undefined;
  }
}

class ExactCycles implements Watcher {
  readonly #deeds: string[] = [];

  observe(signal: Signal): FindingKind | undefined {
    const deed = exactDeed(signal);
    if (deed === undefined) return undefined;
    this.#deeds.push(deed);
    if (this.#deeds.length > 32) this.#deeds.shift();
    for (let period = 1; period <= 8; period++) {
      if (this.#endsInRounds(period)) return 'repetition';
    }
    return undefined;
  }

  #endsInRounds(period: number): boolean {
    const { length } = this.#deeds;
    if (length < REPEATS * period) return false;
    for (let back = 1; back <= (REPEATS - 1) * period; back++) {
      if (this.#deeds[length - back] !== this.#deeds[length - back - period]) return false;
    }
    return true;
  }
}

class Cap implements Watcher {
  #turns = 0;

  observe(signal: Signal): FindingKind | undefined {
    if (exactDeed(signal) === undefined) return undefined;
    this.#turns++;
    return this.#turns >= 25 ? 'limit' : undefined;
  }
}
