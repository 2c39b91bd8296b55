import type { Run } from '@teamfuse/adapter-kit';
import type { Conversation } from '@teamfuse/core';
import type { Permit } from '@teamfuse/core/kit';

/** The turn that may be a probe. */
interface ProbingTurn {
  readonly agent: object;
  readonly sender: object | null;
}

const probes: WeakMap<Conversation, Probe> = new WeakMap();

/** The turn that a half-open circuit admits, until its reply and the calls in it are made. */
export class Probe {
  readonly permit: Permit;
  readonly turn: ProbingTurn;
  /** Whether its reply is decided and only has to be sent. */
  isAnswered = false;
  /** Whether it has ended except for the calls it asks for, which another agent makes. */
  awaitsCalls = false;
  readonly #conversation: Conversation;
  readonly #run: Run | undefined;

  /** Begins the probe of a conversation. `run` ends it at the latest. */
  constructor(conversation: Conversation, permit: Permit, turn: ProbingTurn, run: Run | undefined) {
    this.#conversation = conversation;
    this.permit = permit;
    this.turn = turn;
    this.#run = run;
    probes.set(conversation, this);
  }

  /** The probe of a conversation, if there is one. */
  static of(conversation: Conversation): Probe | undefined {
    return probes.get(conversation);
  }

  /** The probe, or the turn that makes its calls, is over. */
  turnEnded(asksForCalls: boolean): void {
    if (asksForCalls && !this.awaitsCalls) this.awaitsCalls = true;
    else this.end();
  }

  /** A run is over. */
  runEnded(run: Run | undefined): void {
    if (run === this.#run) this.end();
  }

  /** Ends the probe: the circuit opens again unless there was progress. Idempotent. */
  end(): void {
    if (probes.get(this.#conversation) === this) probes.delete(this.#conversation);
    this.permit.release();
  }
}
