import type { JsonValue } from '../../common/json.ts';
import {
  type Codec,
  count,
  flag,
  list,
  nullable,
  number,
  orElse,
  record,
  recordAt,
  text,
} from '../../state/codec.ts';
import type { Stateful } from '../../state/stateful.ts';
import { type AskHash, hashes, type StepKey } from '../hashes.ts';
import { MEMORY, PATIENCE_MS } from '../judgement.ts';
import type { Entry, LapStep, Laps } from './lap-step.ts';
import { Stretch } from './stretch.ts';
import { waitsUntil } from './waiting.ts';

/** How long steps count, in milliseconds. */
export interface LapTimes {
  readonly forgetAfterMs: number;
  readonly patienceMs: number;
}

/** A call that is about to be made. */
interface Foreseen extends Pick<LapStep, 'index' | 'at' | 'freeAt' | 'isBackingOff'> {}

const ENTRIES: Codec<readonly Entry[]> = list(
  record<Entry>({
    index: count,
    at: number,
    freeAt: number,
    agent: text,
    tool: text,
    ask: hashes<AskHash>(),
    key: hashes<StepKey>(),
    isAct: flag,
    isMessage: orElse(flag, false),
    isReply: orElse(flag, false),
    isRemark: flag,
    isPatient: flag,
    isBackingOff: flag,
    tookMs: number,
    isUnanswered: flag,
    isTiny: flag,
    isOld: flag,
  }),
  MEMORY,
);

const SINCE = record({
  newAt: nullable(number),
  acts: count,
  waitsUntil: orElse(nullable(number), null),
});

/**
 * Detects with certainty that a team goes in circles: for some laps, every step of every agent repeated an earlier one.
 *
 * A lap has as many steps as there are different ones. After the first lap, all steps must be known ones, in any order, as
 * long as each recurs. So one rule covers repeated calls, two agents that take turns, and rings.
 */
export class LapCounter implements Stateful {
  /** The latest steps, as a ring buffer. */
  readonly #ring: Entry[] = [];
  /** Their keys: searching plain numbers is several times as fast. */
  readonly #keys: number[] = [];
  readonly #forgetAfterMs: number;
  readonly #patienceMs: number;
  readonly #redactName: (tool: string) => string;
  #taken = 0;
  /** When something new happened last, and how many calls and runs there were since. */
  #newAt: number | null = null;
  #actsSince = 0;
  /** Until when the team waits for something, if it does. */
  #waitsUntil: number | null = null;

  /** Steps count for `forgetAfterMs`; who waits may do so for `patienceMs`. `redactName` redacts names of tools for snapshots. */
  constructor({ forgetAfterMs, patienceMs }: LapTimes, redactName: (tool: string) => string) {
    this.#forgetAfterMs = forgetAfterMs;
    this.#patienceMs = patienceMs;
    this.#redactName = redactName;
  }

  /** Remembers a step. Returns the laps that it completes, if there are at least two. */
  take(step: Entry): Laps | undefined {
    const place = this.#taken++ % MEMORY;
    step.isOld = this.#keys.includes(step.key);
    this.#keys[place] = step.key;
    this.#ring[place] = step;
    if (!step.isRemark) this.#count(step);
    if (!step.isOld) return undefined;
    const { laps, waits } = this.#mostLaps(this.#entries(), step);
    this.#waitsUntil = waits ?? this.#waitsUntil;
    return laps;
  }

  /** The latest step that asks the same. */
  latestOf(ask: AskHash): Entry | undefined {
    return this.#entries().findLast((entry) => entry.ask === ask);
  }

  /** Whether the team waits for something. */
  isWaitingAt(freeAt: number): boolean {
    return this.#waitsUntil !== null && freeAt <= this.#waitsUntil;
  }

  #count({ isOld, isAct, at }: Entry): void {
    if (isAct) this.#actsSince++;
    if (isOld) return;
    this.#actsSince = 0;
    this.#newAt = at;
    this.#waitsUntil = null;
  }

  /**
   * The laps that a call with this `ask` would complete if its outcome were the same again. After a wait the outcome may
   * differ, so only laps that are already complete count then. Changes nothing.
   */
  foresee(ask: AskHash, { index, at, freeAt, isBackingOff }: Foreseen): Laps | undefined {
    if (!this.#ring.some((entry) => entry.ask === ask)) return undefined;
    const before = this.#entries();
    const place = before.findLastIndex((entry) => entry.ask === ask);
    const last = before[place] as Entry;
    const waits = { isBackingOff: isBackingOff && last.key !== ask };
    const after = [
      ...before.slice(1 - MEMORY),
      { ...last, index, at, freeAt, ...waits, isOld: true },
    ];
    const { laps } = this.#mostLaps(after, { at, freeAt });
    const acts = before.slice(place).filter(({ isAct }) => isAct).length;
    if (laps === undefined || freeAt - last.freeAt < PATIENCE_MS * acts) return laps;
    const made = this.#mostLaps(before, { at, freeAt }).laps?.laps ?? 0;
    return { ...laps, laps: Math.min(laps.laps, made) };
  }

  clear(): void {
    this.#taken = 0;
    this.#newAt = null;
    this.#actsSince = 0;
    this.#waitsUntil = null;
    this.#ring.length = 0;
    this.#keys.length = 0;
  }

  snapshot(): JsonValue {
    const redacted = this.#entries().map((entry) => ({
      ...entry,
      tool: this.#redactName(entry.tool),
    }));
    const since = SINCE.write({
      newAt: this.#newAt,
      acts: this.#actsSince,
      waitsUntil: this.#waitsUntil,
    });
    return { entries: ENTRIES.write(redacted), since };
  }

  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    const entries = ENTRIES.read(`${path}.entries`, state.entries);
    this.clear();
    const since = SINCE.read(`${path}.since`, state.since);
    this.#newAt = since.newAt;
    this.#actsSince = since.acts;
    this.#waitsUntil = since.waitsUntil;
    for (const entry of entries) {
      this.#ring.push(entry);
      this.#keys.push(entry.key);
    }
    this.#taken = entries.length;
  }

  /** Oldest first. */
  #entries(): readonly Entry[] {
    const oldest = this.#taken % MEMORY;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /** The most laps of any stretch up to the latest step, at that time, without those of who waits. */
  #mostLaps(entries: readonly Entry[], { at, freeAt }: Pick<LapStep, 'at' | 'freeAt'>): Found {
    const stretch = new Stretch(entries);
    const isPatient = at - (this.#newAt ?? at) < this.#patienceMs;
    let most: Laps | undefined;
    let waits: number | undefined;
    for (let from = entries.length - 1; from >= 0 && stretch.mayGrow; from--) {
      if ((entries[from] as Entry).at < at - this.#forgetAfterMs) break;
      const laps = stretch.startAt(from);
      if (laps === undefined || laps.laps < 2) continue;
      // Who has waited long, and for as many laps as can be remembered, goes in circles.
      const mayWait = isPatient || this.#actsSince < MEMORY * laps.period;
      const until = mayWait ? waitsUntil(stretch.steps, this.#patienceMs) : undefined;
      if (until !== undefined && freeAt <= until) waits = until;
      else if (laps.laps > (most?.laps ?? 0)) most = laps;
    }
    return { laps: most, waits };
  }
}

interface Found {
  readonly laps: Laps | undefined;
  /** Until when the team waits, if it does. */
  readonly waits: number | undefined;
}
