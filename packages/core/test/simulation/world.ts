import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { hashText } from '../../src/common/hash.ts';
import type { Breaker } from '../../src/index.ts';
import type { Books } from './books.ts';
import type { Scheduler } from './scheduler.ts';

/** What a run of one conversation may do at most. */
export interface Declared {
  readonly maxTurns?: number;
  readonly maxModelCalls?: number;
  readonly maxToolCalls?: number;
}

export type Kind = 'turn' | 'model' | 'tool';

/** One conversation, as the world sees it. */
export class Party {
  readonly name: string;
  readonly random: SeededRandom;
  readonly declared: Declared;
  /** The user that it belongs to, if its breaker has tenants. */
  tenant: string | undefined;
  /** How often it began anew. */
  epoch = 0;
  /** What has begun since then. */
  begun: Record<Kind, number> = { turn: 0, model: 0, tool: 0 };
  readonly ops: Set<Op> = new Set();
  /** Why nothing may begin until a reset. */
  stop: string | undefined;
  /** The state of its circuit. */
  status: () => string = () => 'closed';
  /** What it has lived through. */
  readonly log: string[] = [];

  constructor(name: string, random: SeededRandom, declared: Declared = {}) {
    this.name = name;
    this.random = random;
    this.declared = declared;
  }

  beginAnew(): void {
    this.stop = undefined;
    this.beForgotten();
  }

  /** Its breaker keeps only so many conversations, and of the others no more than why they were stopped. */
  beForgotten(): void {
    this.epoch++;
    this.begun = { turn: 0, model: 0, tool: 0 };
  }
}

/** What calls hold expires after so long. */
export const RESERVATION_MS = 120_000;
/** From here on it may have expired: the clock counts whole milliseconds. */
export const MAY_EXPIRE_MS: number = RESERVATION_MS - 1;

/** A step of a conversation, from the question whether it may begin until its caller goes on. */
export class Op {
  readonly party: Party;
  readonly kind: Kind;
  readonly within: Op | undefined;
  readonly epoch: number;
  /** When it was asked for. */
  readonly at: number;
  phase: 'asked' | 'working' | 'worked' | 'over' = 'asked';
  isProbe = false;
  /** When its work began, by all that the clock has gone forward. */
  begunAt: number = Number.NEGATIVE_INFINITY;
  /** As it began. */
  status = 'closed';
  stop: string | undefined;

  constructor(party: Party, kind: Kind, within: Op | undefined, at: number) {
    this.at = at;
    this.party = party;
    this.kind = kind;
    this.within = within;
    this.epoch = party.epoch;
  }

  toString(): string {
    return `a ${this.kind} of ${this.party.name}`;
  }
}

/** What has to hold, and how it is seen that it does not. */
export interface Invariant {
  readonly name: string;
  readonly broken: (world: World) => string | undefined;
}

/** What was found, and when. */
export interface Violation {
  readonly invariant: string;
  readonly what: string;
  readonly step: number;
  readonly events: readonly string[];
}

const KEPT_EVENTS = 30;
/** The clock counts whole milliseconds. */
const MINUTE_MS = 60_000 - 1;

/** Numbers of a seed and a name, that no other name disturbs. */
export function chanceOf(seed: number, name: string): SeededRandom {
  return new SeededRandom(hashText(`${seed} ${name}`));
}

/** Everything outside of the engine: time, who takes part, what has begun and ended, and what must never be. */
export class World {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly books: Books;
  readonly parties: Party[] = [];
  /** What began in this step. */
  begun: Op[] = [];
  /** What has to be over at the end of this step, and why. */
  due: (readonly [Op, string])[] = [];
  /** Why nothing at all may begin. */
  stop: string | undefined;
  /** The tenants for which nothing may begin. */
  readonly stopped: Set<string> = new Set();
  /** How many model calls may begin in a minute and be under way, as far as that is limited. */
  throttle: { readonly maxRpm?: number; readonly maxConcurrent?: number } = {};
  /** When these limits were set. A call from before may have had its place already. */
  throttledSince = 0;
  /** Model calls under way, whether or not somebody still waits for them. */
  readonly models: Set<Op> = new Set();
  /** When those began that began last. */
  modelsBegun: number[] = [];
  /** How often circuits opened, as their states say, and as the breaker tells it. */
  openings = 0;
  trips = 0;
  breaker: Breaker | undefined;
  violation: Violation | undefined;
  readonly #events: string[] = [];
  readonly #invariants: readonly Invariant[];

  constructor(seed: number, scheduler: Scheduler, books: Books, invariants: readonly Invariant[]) {
    this.seed = seed;
    this.scheduler = scheduler;
    this.books = books;
    this.#invariants = invariants;
  }

  get isBroken(): boolean {
    return this.violation !== undefined;
  }

  /** Numbers of this name, that no other name disturbs. */
  chance(name: string): SeededRandom {
    return chanceOf(this.seed, name);
  }

  join(name: string, declared?: Declared): Party {
    const party = new Party(name, this.chance(name), declared);
    this.parties.push(party);
    return party;
  }

  note(event: string): void {
    if (this.#events.length >= KEPT_EVENTS) this.#events.shift();
    this.#events.push(`${this.scheduler.steps} at ${Math.floor(this.scheduler.time)}: ${event}`);
  }

  violate(invariant: string, what: string): void {
    const { steps: step } = this.scheduler;
    this.violation ??= { invariant, what, step, events: [...this.#events] };
  }

  /** Somebody asks for a step. */
  ask(party: Party, kind: Kind, within?: Op): Op {
    const op = new Op(party, kind, within, this.scheduler.passed());
    party.ops.add(op);
    this.note(`${party.name} asks for a ${kind}`);
    return op;
  }

  /** The work of a step begins. */
  begin(op: Op, isProbe = false): void {
    const { party } = op;
    op.phase = 'working';
    op.isProbe = isProbe || op.within?.isProbe === true;
    op.status = party.status();
    const isStopped = party.tenant !== undefined && this.stopped.has(party.tenant);
    op.stop = this.stop ?? (isStopped ? 'its tenant was stopped' : party.stop);
    if (op.kind === 'model') this.#beginModel(op);
    if (op.epoch === party.epoch) party.begun[op.kind]++;
    this.begun.push(op);
    this.note(`${op} begins`);
  }

  /** Its work is done, so that its caller goes on at once. A turn that said nothing gives its place back. */
  worked(op: Op, hasFailed: boolean): void {
    const { party } = op;
    this.models.delete(op);
    if (hasFailed && op.kind === 'turn' && op.epoch === party.epoch) party.begun.turn--;
    if (op.phase === 'over') return;
    op.phase = 'worked';
    this.due.push([op, 'its work was done']);
  }

  #beginModel(op: Op): void {
    this.models.add(op);
    op.begunAt = this.scheduler.passed();
    const now = this.scheduler.passed();
    this.modelsBegun = this.modelsBegun.filter((at) => at > now - MINUTE_MS);
    this.modelsBegun.push(now);
  }

  /** Its caller goes on. */
  end(op: Op, how: string): void {
    op.phase = 'over';
    op.party.ops.delete(op);
    this.note(`${op} ends: ${how}`);
  }

  /** All steps of these parties that are under way have to end at once. */
  endAll(parties: readonly Party[], why: string): void {
    for (const { ops } of parties) {
      for (const op of ops) if (op.phase === 'working') this.due.push([op, why]);
    }
  }

  /** Checks what has to hold after every step. */
  check(): boolean {
    for (const { name, broken } of this.#invariants) {
      const what = broken(this);
      if (what !== undefined) this.violate(name, what);
    }
    if (this.begun.length > 0) this.begun = [];
    if (this.due.length > 0) this.due = [];
    return this.isBroken;
  }
}
