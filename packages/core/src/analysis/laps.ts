import type { JsonValue } from '../json.ts';
import { MEMORY, PATIENCE, PATIENCE_MS } from '../judgement.ts';
import { type Codec, count, flag, list, number, orElse, record, text } from '../state/codec.ts';
import type { Stateful } from '../state/stateful.ts';

/** A step, with what later steps are compared by. */
export interface LapStep {
  readonly index: number;
  readonly at: number;
  readonly agent: string;
  /** Whether it is a call or a run rather than a message. */
  readonly isAct: boolean;
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
  /** Whether it may be a poll of something slow. */
  readonly isPatient: boolean;
  /** Whether it is a single word, whose repetition does not count. */
  readonly isTiny: boolean;
}

/** How often the latest steps have repeated. */
export interface Laps {
  /** How many laps, including the first. A lap of waiting counts as a fraction. */
  readonly laps: number;
  /** How many different steps a lap contains. */
  readonly period: number;
  /** The steps of all laps, oldest first. */
  readonly steps: readonly LapStep[];
  /** Index of the latest new step. */
  readonly newsAt: number;
}

/** Waiting has at most two different steps: a pause and a poll. */
const MAX_WAITING = 2;

/** Whether the laps consist of messages of several agents only. */
export function isTalk({ steps }: Laps): boolean {
  const [first] = steps;
  return steps.every(({ isAct }) => !isAct) && steps.some(({ agent }) => agent !== first?.agent);
}

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
    isTiny: flag,
    isOld: flag,
  }),
  MEMORY,
);

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
  readonly #told: (tool: string) => string;
  #count = 0;

  /** Steps count for `forgetAfterMs`. `told` redacts names of tools for snapshots. */
  constructor(forgetAfterMs: number, told: (tool: string) => string) {
    this.#forgetAfterMs = forgetAfterMs;
    this.#told = told;
  }

  /** Remembers a step. Returns the laps that it completes, if there are at least two. */
  take(step: Entry): Laps | undefined {
    const place = this.#count++ % MEMORY;
    step.isOld = this.#keys.includes(step.key);
    this.#keys[place] = step.key;
    this.#ring[place] = step;
    return step.isOld ? mostLaps(this.#entries(), step.at - this.#forgetAfterMs) : undefined;
  }

  /**
   * The laps that a call with this `ask` would complete if its outcome were the same again. After a wait the outcome may
   * differ, so only laps that are already complete count then. Changes nothing.
   */
  foresee(ask: number, index: number, at: number): Laps | undefined {
    if (!this.#ring.some((entry) => entry.ask === ask)) return undefined;
    const before = this.#entries();
    const place = before.findLastIndex((entry) => entry.ask === ask);
    const last = before[place] as Entry;
    const since = at - this.#forgetAfterMs;
    const after = [...before.slice(1 - MEMORY), { ...last, index, at, isOld: true }];
    const laps = mostLaps(after, since);
    const acts = before.slice(place).filter(({ isAct }) => isAct).length;
    if (laps === undefined || at - last.at < PATIENCE_MS * acts) return laps;
    const made = mostLaps(before, since)?.laps ?? 0;
    return { ...laps, laps: Math.min(laps.laps, made) };
  }

  clear(): void {
    this.#count = 0;
    if (this.#ring.length === 0) return;
    this.#ring.length = 0;
    this.#keys.length = 0;
  }

  snapshot(): JsonValue {
    const told = this.#entries().map((entry) => ({ ...entry, tool: this.#told(entry.tool) }));
    return ENTRIES.write(told);
  }

  restore(path: string, json: unknown): void {
    const entries = ENTRIES.read(path, json);
    this.clear();
    for (const entry of entries) {
      this.#ring.push(entry);
      this.#keys.push(entry.key);
    }
    this.#count = entries.length;
  }

  /** Oldest first. */
  #entries(): readonly Entry[] {
    const oldest = this.#ring.length < MEMORY ? 0 : this.#count % MEMORY;
    return [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)];
  }
}

/** The most laps of any stretch up to the latest step, without steps older than `since`. */
function mostLaps(entries: readonly Entry[], since: number): Laps | undefined {
  const stretch = new Stretch(entries);
  let most: Laps | undefined;
  for (let from = entries.length - 1; from >= 0 && stretch.mayGrow; from--) {
    if ((entries[from] as Entry).at < since) break;
    const laps = stretch.startAt(from);
    if (laps !== undefined && laps.laps >= 2 && laps.laps > (most?.laps ?? 0)) most = laps;
  }
  return most;
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
  #steps: Entry[] = [];
  /** How many of the latest of them are old. */
  #known = 0;

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  /** Whether more steps can still complete laps: all new ones are in the first lap. */
  get mayGrow(): boolean {
    return this.#steps.length - this.#counts.size <= this.#known;
  }

  /** Grows by the entry before, and returns the laps from there. */
  startAt(from: number): Laps | undefined {
    const entry = this.#entries[from] as Entry;
    if (entry.isAct && !this.#acting.has(entry.agent)) {
      this.#acting.add(entry.agent);
      this.#recount(from);
    } else this.#count(entry);
    const { length } = this.#steps;
    if (this.#singles > 0 || !this.mayGrow) return undefined;
    const period = this.#counts.size;
    return {
      laps: Math.floor(length / period / (this.#isWaiting() ? PATIENCE : 1)),
      period,
      steps: [...this.#steps].reverse(),
      newsAt: this.#newsAt(),
    };
  }

  /** Recounts once an agent turns out to act, since its remarks then do not count. */
  #recount(from: number): void {
    this.#counts.clear();
    this.#singles = 0;
    this.#steps = [];
    this.#known = 0;
    for (let i = this.#entries.length - 1; i >= from; i--) this.#count(this.#entries[i] as Entry);
  }

  #count(entry: Entry): void {
    if (entry.isRemark && this.#acting.has(entry.agent)) return;
    if (entry.isTiny && entry.isOld) return;
    if (entry.isOld && this.#known === this.#steps.length) this.#known++;
    this.#steps.push(entry);
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

  /** Whether this looks like waiting: one or two steps, repeated slowly. */
  #isWaiting(): boolean {
    const period = this.#counts.size;
    if (period > MAX_WAITING) return false;
    // Measured over whole laps, which may contain a long and a short pause.
    const whole = this.#steps.length - 1 - ((this.#steps.length - 1) % period);
    const [latest, first] = [this.#steps[0], this.#steps[whole]] as [Entry, Entry];
    const isSlow = whole > 0 && latest.at - first.at >= PATIENCE_MS * whole;
    return isSlow && this.#steps.every(({ isPatient }) => isPatient);
  }
}
