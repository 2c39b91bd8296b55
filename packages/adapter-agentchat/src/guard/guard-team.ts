import {
  checkBreaker,
  describe,
  type GuardOptions,
  type SelfTestReport,
} from '@teamfuse/adapter-kit';
import type { Team } from '@teamfuse/agentchat';
import { type Breaker, GuardInstallError, type Trip } from '@teamfuse/core';
import { isGroup } from '../taps/shapes.ts';
import { Installation } from './installation.ts';
import { selfTest } from './self-test.ts';
import { TeamContext } from './team-context.ts';

/** A guard that is installed on a team. */
export interface Guard extends Disposable {
  /** Why a run was stopped, or the circuit is not closed; `undefined` while the team may go on. */
  readonly trip: Trip | undefined;
  /** Removes all taps. Idempotent; a run under way continues unguarded. */
  uninstall(): void;
  /**
   * Runs work that wraps up what was done, such as a last summary: its model calls may use what the budget keeps back
   * (`reserveUsd`), also after the budget has stopped the team. Tools, code and nested chats stay refused.
   */
  wrapUp<T>(work: () => T): T;
  /**
   * Sends a known loop through the taps, and checks that it is found and that every tap refuses the steps after it.
   *
   * The team's breaker, models, tools and programs take no part in it.
   */
  selfTest(): Promise<SelfTestReport>;
}

/**
 * Any team with participants, whatever package it comes from.
 *
 * That much is needed; what is inside is found by its shape.
 */
export interface GuardableTeam {
  readonly name: string;
  readonly participants: readonly object[];
  run(options?: never): unknown;
  runStream(options?: never): unknown;
}

/**
 * Guards a team: tells a breaker what happens in it, and asks before every turn, model call, tool call and code run.
 *
 * When the breaker opens, in the middle of a turn too, nothing more begins, and the run ends in good order: its stop
 * reason is the trip's, and everything said so far is in its result. Inner teams, agents that serve as tools, and the
 * models that choose speakers are guarded along with the team.
 *
 * @example
 * ```ts
 * const team = new RoundRobinGroupChat([writer, critic]);
 * const installed = guardTeam(team, new Breaker({ budget: { maxTokens: 20 } }));
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * installed.trip?.kind; // => 'budget'
 * stopReason === installed.trip?.reason; // => true
 * installed.uninstall();
 * ```
 * @throws {@link GuardInstallError} naming what was expected, with nothing installed.
 */
export function guardTeam(
  team: GuardableTeam,
  breaker: Breaker,
  options: GuardOptions = {},
): Guard {
  const given: unknown = team;
  if (!isGroup(given)) {
    throw new GuardInstallError(
      'team',
      `an object with run, runStream and participants, received ${describe(given)}`,
    );
  }
  return new TeamGuard(given, checkBreaker(`team '${given.name}'`, breaker), options);
}

class TeamGuard implements Guard {
  readonly #context: TeamContext;
  readonly #installation: Installation;

  constructor(team: Team, breaker: Breaker, options: GuardOptions) {
    this.#context = new TeamContext(breaker, options);
    this.#installation = new Installation(this.#context);
    try {
      this.#installation.team(team);
    } catch (error) {
      this.#installation.undo();
      throw error;
    }
    this.#context.listen();
  }

  get trip(): Trip | undefined {
    return this.#context.trip;
  }

  uninstall(): void {
    this.#context.close();
    this.#installation.undo();
  }

  wrapUp<T>(work: () => T): T {
    return this.#context.wrapUp(work);
  }

  [Symbol.dispose](): void {
    this.uninstall();
  }

  selfTest(): Promise<SelfTestReport> {
    return selfTest(this.#context, this.#installation);
  }
}
