import type { JsonValue } from '../json.ts';
import { MEMORY, PATIENCE_MS } from '../judgement.ts';
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
} from '../state/codec.ts';
import type { Stateful } from '../state/stateful.ts';
import { isWaiting, type WaitingStep } from './waiting.ts';

/** A step, with what later steps are compared by. */
export interface LapStep extends WaitingStep {
  readonly index: number;
  readonly agent: string;
  /** Whether it is a message; what is neither is a handoff, an automatic input, or the start or end of a nested chat. */
  readonly isMessage: boolean;
  /** The tool of a call, or empty. */
  readonly tool: string;
  /** Equal for the same request by the same agent, whatever its outcome; 0 if there is no request. */
  readonly ask: number;
  /** Equal for the same agent, request and outcome. */
  readonly key: number;
  /** Whether it is a message with little new; ignored if its agent also acts. */
  readonly isRemark: boolean;
  /** Whether it is input that follows input of the same person or harness, with nothing in between. */
  readonly isUnanswered: boolean;
  /** Whether it is a single word, whose repetition does not count. */
  readonly isTiny: boolean;
}

/** How often the latest steps have repeated. */
export interface Laps {
  /** How many laps, including the first. */
  readonly laps: number;
  /** How many different steps a lap contains. */
  readonly period: number;
  /** The steps of all laps, oldest first. */
  readonly steps: readonly LapStep[];
  /** Index of the latest new step. */
  readonly newsAt: number;
}

/** Whether the laps consist of messages of several agents only. */
export function isTalk({ steps }: Laps): boolean {
  const [first] = steps;
  return steps.every(({ isAct }) => !isAct) && steps.some(({ agent }) => agent !== first?.agent);
}

/** How long steps count, in milliseconds. */
export interface LapTimes {
  readonly forgetAfterMs: number;
  readonly patienceMs: number;
}

/** A call that is about to be made. */
interface Foreseen extends Pick<LapStep, 'index' | 'at' | 'isBackingOff'> {}

interface Entry extends LapStep {
  /** Whether it repeats an earlier step; set by {@link LapCounter.take}. */
  isOld: boolean;
}

const ENTRIES: Codec<readonly Entry[]> = list(
  record<Entry>({
    index: count,
    at: number,
    agent: text,
    tool: text,
    ask: number,
    key: number,
    isAct: flag,
    isMessage: orElse(flag, false),
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

const SINCE = record({ newAt: nullable(number), acts: count, isWaiting: flag });

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
  readonly #told: (tool: string) => string;
  #taken = 0;
  /** When something new happened last, and how many calls and runs there were since. */
  #newAt: number | null = null;
  #actsSince = 0;
  /** Whether the team waits for something. */
  isWaiting = false;

  /** Steps count for `forgetAfterMs`; who waits may do so for `patienceMs`. `told` redacts names of tools for snapshots. */
  constructor({ forgetAfterMs, patienceMs }: LapTimes, told: (tool: string) => string) {
    this.#forgetAfterMs = forgetAfterMs;
    this.#patienceMs = patienceMs;
    this.#told = told;
  }

  /** Remembers a step. Returns the laps that it completes, if there are at least two. */
  take(step: Entry): Laps | undefined {
    const place = this.#taken++ % MEMORY;
    step.isOld = this.#keys.includes(step.key);
    this.#keys[place] = step.key;
    this.#ring[place] = step;
    if (!step.isRemark) this.#count(step);
    if (!step.isOld) return undefined;
    const { laps, isWaiting } = this.#mostLaps(this.#entries(), step.at);
    if (isWaiting) this.isWaiting = true;
    return laps;
  }

  #count({ isOld, isAct, at }: Entry): void {
    if (isAct) this.#actsSince++;
    if (isOld) return;
    this.#actsSince = 0;
    this.#newAt = at;
    this.isWaiting = false;
  }

  /**
   * The laps that a call with this `ask` would complete if its outcome were the same again. After a wait the outcome may
   * differ, so only laps that are already complete count then. Changes nothing.
   */
  foresee(ask: number, { index, at, isBackingOff }: Foreseen): Laps | undefined {
    if (!this.#ring.some((entry) => entry.ask === ask)) return undefined;
    const before = this.#entries();
    const place = before.findLastIndex((entry) => entry.ask === ask);
    const last = before[place] as Entry;
    const waits = { isBackingOff: isBackingOff && last.key !== ask };
    const after = [...before.slice(1 - MEMORY), { ...last, index, at, ...waits, isOld: true }];
    const { laps } = this.#mostLaps(after, at);
    const acts = before.slice(place).filter(({ isAct }) => isAct).length;
    if (laps === undefined || at - last.at < PATIENCE_MS * acts) return laps;
    const made = this.#mostLaps(before, at).laps?.laps ?? 0;
    return { ...laps, laps: Math.min(laps.laps, made) };
  }

  clear(): void {
    this.#taken = 0;
    this.#newAt = null;
    this.#actsSince = 0;
    this.isWaiting = false;
    if (this.#ring.length === 0) return;
    this.#ring.length = 0;
    this.#keys.length = 0;
  }

  snapshot(): JsonValue {
    const told = this.#entries().map((entry) => ({ ...entry, tool: this.#told(entry.tool) }));
    const { isWaiting } = this;
    const since = SINCE.write({ newAt: this.#newAt, acts: this.#actsSince, isWaiting });
    return { entries: ENTRIES.write(told), since };
  }

  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    const entries = ENTRIES.read(`${path}.entries`, state.entries);
    this.clear();
    const since = SINCE.read(`${path}.since`, state.since);
    this.#newAt = since.newAt;
    this.#actsSince = since.acts;
    this.isWaiting = since.isWaiting;
    for (const entry of entries) {
      this.#ring.push(entry);
      this.#keys.push(entry.key);
    }
    this.#taken = entries.length;
  }

  /** Oldest first. */
  #entries(): readonly Entry[] {
    const oldest = this.#ring.length < MEMORY ? 0 : this.#taken % MEMORY;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }

  /** The most laps of any stretch up to the latest step, at `at`, without those of who waits. */
  #mostLaps(entries: readonly Entry[], at: number): Found {
    const stretch = new Stretch(entries);
    const isPatient = at - (this.#newAt ?? at) < this.#patienceMs;
    let most: Laps | undefined;
    let hasWaited = false;
    for (let from = entries.length - 1; from >= 0 && stretch.mayGrow; from--) {
      if ((entries[from] as Entry).at < at - this.#forgetAfterMs) break;
      const laps = stretch.startAt(from);
      if (laps === undefined || laps.laps < 2) continue;
      // Who has waited long, and for as many laps as can be remembered, goes in circles.
      const mayWait = isPatient || this.#actsSince < MEMORY * laps.period;
      if (mayWait && isWaiting(stretch.steps)) hasWaited = true;
      else if (laps.laps > (most?.laps ?? 0)) most = laps;
    }
    return { laps: most, isWaiting: hasWaited };
  }
}

interface Found {
  readonly laps: Laps | undefined;
  readonly isWaiting: boolean;
}

/** The steps from one on up to the latest; grows backwards. */
class Stretch {
  readonly #entries: readonly Entry[];
  readonly #acting: Set<string> = new Set();
  /** How often each step occurs. */
  readonly #counts: Map<number, number> = new Map();
  /** How many steps occur once. */
  #singles = 0;
  /** The steps that count, the latest first. */
  steps: Entry[] = [];
  /** How many of the latest of them are old. */
  #known = 0;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Whether more steps can still complete laps: all new ones are in the first lap. */
  get mayGrow(): boolean {
    return this.steps.length - this.#counts.size <= this.#known;
  }

  /** Grows by the entry before, and returns the laps from there. */
  startAt(from: number): Laps | undefined {
    const entry = this.#entries[from] as Entry;
    if (entry.isAct && !this.#acting.has(entry.agent)) {
      this.#acting.add(entry.agent);
      this.#recount(from);
    } else this.#count(entry);
    const { length } = this.steps;
    if (this.#singles > 0 || !this.mayGrow || isUnanswered(this.steps)) return undefined;
    const period = this.#counts.size;
    return {
      laps: Math.floor(length / period),
      period,
      steps: [...this.steps].reverse(),
      newsAt: this.#newsAt(),
    };
  }

  /** Recounts once an agent turns out to act, since its remarks then do not count. */
  #recount(from: number): void {
    this.#counts.clear();
    this.#singles = 0;
    this.steps = [];
    this.#known = 0;
    for (let i = this.#entries.length - 1; i >= from; i--) this.#count(this.#entries[i] as Entry);
  }

  #count(entry: Entry): void {
    if (entry.isRemark && this.#acting.has(entry.agent)) return;
    if (entry.isTiny && entry.isOld) return;
    if (entry.isOld && this.#known === this.steps.length) this.#known++;
    this.steps.push(entry);
    const times = this.#counts.get(entry.key) ?? 0;
    this.#counts.set(entry.key, times + 1);
    if (times < 2) this.#singles += times === 0 ? 1 : -1;
  }

  #newsAt(): number {
    const news = this.#entries.findLast(
      ({ isOld, isRemark, agent }) => !isOld && !(isRemark && this.#acting.has(agent)),
    );
    return (news ?? (this.#entries[0] as Entry)).index;
  }
}

/** Whether all is input of one person or harness, of which the log leaves the answers out. The latest step comes first. */
function isUnanswered(steps: readonly Entry[]): boolean {
  return steps.length > 1 && steps.slice(0, -1).every((one) => one.isUnanswered);
}
