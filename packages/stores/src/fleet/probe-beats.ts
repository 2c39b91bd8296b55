import type { Timers } from '@teamfuse/core/kit';
import { type CircuitEvent, MACHINE_TIMERS, MAX_COOLDOWN_MS } from '@teamfuse/core/sharing';

/** For how long a probe is this process's unless it says that it goes on. */
const PROBE_MS = 15_000;
const BEAT_MS = PROBE_MS / 3;
/** A probe that hangs is given up in the end. */
const MOST_BEATS = MAX_COOLDOWN_MS / BEAT_MS;

/** Whom {@link ProbeBeats} tells, by the keys of circuits. */
interface ProbeBeatsParts {
  /** Whether the probe is still this process's. */
  readonly isHeld: (key: string, probeId: number) => boolean;
  readonly goOn: (key: string, event: CircuitEvent) => void;
  readonly giveUp: (key: string) => void;
}

/** Says from time to time that the probes of this process go on: those of one that was killed are given to others. */
export class ProbeBeats {
  readonly #timers: Timers | undefined;
  readonly #parts: ProbeBeatsParts;
  /** The beats that are left to each. */
  readonly #held: Map<string, { readonly probeId: number; left: number }> = new Map();
  #timer: unknown;

  constructor(timers: Timers | undefined, parts: ProbeBeatsParts) {
    this.#timers = timers;
    this.#parts = parts;
  }

  /** Holds a probe that was granted. */
  hold(key: string, probeId: number): void {
    this.#held.set(key, { probeId, left: MOST_BEATS });
    this.#wait();
  }

  #wait(): void {
    if (this.#timer !== undefined || this.#held.size === 0) return;
    this.#timer = quietTimer(this.#timers, BEAT_MS, () => {
      this.#timer = undefined;
      for (const [key, one] of this.#held) this.#beat(key, one);
      this.#wait();
    });
  }

  #beat(key: string, one: { readonly probeId: number; left: number }): void {
    const { probeId } = one;
    const { isHeld, goOn, giveUp } = this.#parts;
    if (!isHeld(key, probeId)) this.#held.delete(key);
    else if (one.left-- > 0) goOn(key, probeOf(probeId));
    else giveUp(key);
  }
}

/** Asks for a probe, or that it goes on. */
export function probeOf(probeId: number): CircuitEvent {
  return { type: 'probe', probeId, lastsMs: PROBE_MS };
}

/** A timer that keeps no process alive. */
export function quietTimer(timers: Timers = MACHINE_TIMERS, ms: number, work: () => void): unknown {
  const timer = timers.set(work, ms);
  Object(timer).unref?.();
  return timer;
}
