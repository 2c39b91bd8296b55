import type { Team } from '@teamfuse/agentchat';
import { type Breaker, GuardInstallError, type Trip, type Unsubscribe } from '@teamfuse/core';
import { checkBreaker, describe } from '../check-breaker.ts';
import { Observer } from '../observer.ts';
import { isGroup } from '../taps/shapes.ts';
import type { Guard, SelfTestReport } from './guard.ts';
import { checkOptions, type GuardOptions } from './guard-options.ts';
import { Installation } from './installation.ts';
import { selfTest } from './self-test.ts';
import { Watch } from './watch.ts';

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
 * const guard = guardTeam(team, new Breaker({ budget: { maxTokens: 20 } }));
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * guard.trip?.kind; // => 'budget'
 * stopReason === guard.trip?.reason; // => true
 * guard.uninstall();
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
  readonly #breaker: Breaker;
  readonly #watch: Watch;
  readonly #installation: Installation;
  readonly #subscriptions: readonly Unsubscribe[];

  constructor(team: Team, breaker: Breaker, options: GuardOptions) {
    const checked = checkOptions(options);
    this.#breaker = breaker;
    this.#watch = new Watch(new Observer(breaker, checked.onError), checked);
    this.#installation = new Installation(this.#watch);
    try {
      this.#installation.team(team);
    } catch (error) {
      this.#installation.undo();
      throw error;
    }
    this.#subscriptions = [
      breaker.on('trip', (trip) => this.#watch.endRuns(trip)),
      breaker.on('warn', ({ finding }) => this.#watch.warn(finding)),
    ];
  }

  get trip(): Trip | undefined {
    return this.#breaker.trip;
  }

  uninstall(): void {
    this.#watch.isActive = false;
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#installation.undo();
  }

  selfTest(): Promise<SelfTestReport> {
    return selfTest(this.#watch, this.#installation);
  }
}
