import type { Breaker, Finding, Signal, Trip } from '@teamfuse/core';
import { nameOf } from './agent-view.ts';
import { FailOpen } from './fail-open.ts';
import { Gatekeeper } from './gatekeeper.ts';
import type { CheckedOptions } from './guard-options.ts';
import { ModelCalls } from './model-calls.ts';
import { Notices } from './notices.ts';
import { Nudges } from './nudges.ts';
import { OpenChats } from './open-chats.ts';
import type { Origin } from './origin.ts';
import { Relays } from './relays.ts';
import { type Turn, Turns } from './turn.ts';
import { Utterances } from './utterances.ts';

/** What a guard knows about the team while it runs; observation and admission share it. */
export class Watch {
  readonly breaker: Breaker;
  readonly options: CheckedOptions;
  readonly failOpen: FailOpen;
  readonly gatekeeper: Gatekeeper;
  readonly calls: ModelCalls;
  readonly chats: OpenChats = new OpenChats();
  readonly turns: Turns = new Turns();
  readonly utterances: Utterances = new Utterances();
  readonly nudges: Nudges;
  readonly relays: Relays = new Relays();
  readonly notices: Notices = new Notices();
  /** When each agent was last seen doing something, to tell how long it has been at what it does now. */
  readonly #lastSeenAt = new WeakMap<object, number>();

  constructor(breaker: Breaker, options: CheckedOptions) {
    this.breaker = breaker;
    this.options = options;
    this.failOpen = new FailOpen(options);
    this.gatekeeper = new Gatekeeper(breaker, this.failOpen);
    this.calls = new ModelCalls(options, this.failOpen);
    this.nudges = new Nudges(options);
  }

  /** Why the team was stopped: what still ends a run under way, or keeps the circuit open. */
  get trip(): Trip | undefined {
    const stopped = this.chats.outermost.find(({ run }) => run.trip !== undefined);
    return stopped?.run.trip ?? this.breaker.trip;
  }

  /** Tells the breaker one thing; a failure is reported and harms nobody. */
  tell(signal: Signal): void {
    this.failOpen.attempt('observe', () => this.breaker.observe(signal));
  }

  /** What all signals of something that happens to `agent` now have in common. */
  origin(agent: object, depth: number): Origin {
    return { at: this.breaker.now(), agent: nameOf(agent), depth };
  }

  /** Keeps what is worth a warning for the next agent that asks its model. */
  warn(finding: Finding): void {
    this.failOpen.attempt('warn', () => this.nudges.add(finding));
  }

  /** Notes that an agent did something, and says how many milliseconds after the last time. */
  seen(agent: object): number {
    const now = this.breaker.now();
    const before = this.#lastSeenAt.get(agent) ?? now;
    this.#lastSeenAt.set(agent, now);
    return Math.max(0, now - before);
  }

  /** Takes a turn off that is over. */
  endTurn(turn: Turn, asksForCalls = false): void {
    this.turns.end(turn);
    this.gatekeeper.turnOver(turn, asksForCalls);
  }

  /** Ends the probe if its reply was settled but never sent. */
  endStaleProbe(): void {
    const { probingTurn } = this.gatekeeper;
    if (probingTurn?.isAnswered) this.endTurn(probingTurn);
  }

  /** Ends every run that is under way, for good. */
  stopRuns(trip: Trip): void {
    for (const { run } of this.chats.outermost) run.trip ??= trip;
  }
}
