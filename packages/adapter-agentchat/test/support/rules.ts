import type { Team } from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { type DetectionOptions, NO_DETECTORS } from '@teamfuse/core/detectors';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { BreakerTermination, guardTeam } from '../../src/index.ts';
import type { TimedTeam } from './loops.ts';

/** A loop that breaks a rule, and its twin, which does not. */
export interface RuleCase {
  /** The rule in the SPEC.md of the core that the loop breaks. */
  readonly rule: string;
  readonly what: string;
  /** The detector of the rule, alone. */
  readonly only: DetectionOptions;
  /** What is declared beside the defaults where all detectors are on. */
  readonly declared?: DetectionOptions;
  /** By what the rule is known in a trip. */
  readonly shown: object;
  readonly loop: TimedTeam;
  /** Differs from the loop in one thing. */
  readonly twin: TimedTeam;
}

/** The repetition detector, alone. */
export const REPETITION: DetectionOptions = { ...NO_DETECTORS, repetition: {} };

/** The detector of speaker cycles, alone. */
export const SPEAKER_CYCLE: DetectionOptions = { ...NO_DETECTORS, speakerCycle: {} };

/** By what a rule of the repetition detector is known in a trip. */
export function repetition(shown: RegExp): object {
  return { kind: 'repetition', reason: expect.stringMatching(shown) };
}

/** The reason of three rounds of calls: of complete ones, or of a call that would complete them. */
export function threeRounds(...tools: readonly string[]): RegExp {
  const names = tools.map((tool) => `'${tool}'`);
  const last = names.at(-1);
  const [made, ahead] =
    names.length === 1
      ? [`${last} was called three times`, `${last} would be called for the third time`]
      : [
          `${names.slice(0, -1).join(', ')} and ${last} were called three times in turn`,
          `${last} would complete the same ${['two', 'three'][names.length - 2]} steps for the third time`,
        ];
  return new RegExp(`^(${made}|${ahead})`);
}

/** By what a ring that is only suspected is known in a trip. */
export const SUSPECTED_CYCLE: object = {
  kind: 'speaker-cycle',
  basis: 'suspected',
  reason: expect.stringMatching(/took turns \w+ times and added almost nothing new$/),
};

/** Puts a team under a breaker. */
type Install = (make: TimedTeam, breaker: Breaker, clock: FakeClock) => Team;

const underCondition: Install = (make, breaker, clock) =>
  make(clock, { terminationCondition: new BreakerTermination(breaker) });

const underGuard: Install = (make, breaker, clock) => {
  const team = make(clock);
  guardTeam(team, breaker);
  return team;
};

async function run(make: TimedTeam, install: Install, options: BreakerOptions = {}) {
  const clock = new FakeClock(1_000);
  const breaker = new Breaker({ now: clock.now, ...options });
  const { stopReason } = await install(make, breaker, clock).run({ task: 'Begin' });
  return { trip: breaker.conversation().trip, stopReason };
}

/** Sees a rule fire through the condition and through the guard, and its twins run to their end. */
export function seeEach(cases: readonly RuleCase[]): void {
  describe.each(cases.map((one) => [one.what, one] as const))(
    '%s',
    (_what, { rule, only, declared, shown, loop, twin }) => {
      describe.each([
        ['CDT2', 'BreakerTermination', underCondition],
        ['CDT3', 'guardTeam', underGuard],
      ] as const)('[%s] through %s', (id, _name, install) => {
        it(`[${id}] [${rule}] stops a team by this rule`, async () => {
          const { trip, stopReason } = await run(loop, install, only);
          expect(trip).toMatchObject(shown);
          expect(stopReason).toBe(trip?.reason);
        });

        it(`[${id}] [${rule}] stops a team with all detectors on`, async () => {
          const { trip, stopReason } = await run(loop, install, declared);
          expect(trip).toBeDefined();
          expect(stopReason).toBe(trip?.reason);
        });

        it(`[${id}] [${rule}] leaves the healthy twin alone with all detectors on`, async () => {
          const { trip, stopReason } = await run(twin, install, declared);
          expect(trip).toBeUndefined();
          expect(stopReason).toMatch(/^Maximum number of turns \d+ reached\.$/);
        });
      });
    },
  );
}
