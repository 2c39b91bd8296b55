import type { Entry, Laps } from './lap-step.ts';

/** The steps from one on up to the latest; grows backwards. */
export class Stretch {
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
  return steps.slice(0, -1).every((one) => one.isUnanswered);
}
