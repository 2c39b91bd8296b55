import { Breaker } from '@teamfuse/core';
import { FakeClock } from '../../fake-clock.ts';
import { ALARM_REASON, alarmOn, says } from '../alarm.ts';
import { equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, inTime, Scene } from '../scene.ts';
import type { TeamScript } from '../script.ts';

const LOOPS = team([speaker('ann', 'stuck'), speaker('bob', 'never said')]);
const WORKS = team([speaker('cy', 'well', 'well again'), speaker('dora', 'fine', 'fine again')]);
const COOLDOWN_MS = 60_000;

/** A breaker with one team that loops, and other teams. */
class Server {
  readonly clock: FakeClock = new FakeClock(1);
  readonly breaker: Breaker = new Breaker({
    now: this.clock.now,
    cooldownMs: COOLDOWN_MS,
    detectors: [alarmOn(says('stuck'))],
  });
  readonly looping: Scene;
  readonly #harness: AdapterHarness;

  constructor(harness: AdapterHarness, conversation?: string) {
    this.#harness = harness;
    this.looping = this.team(LOOPS, conversation);
  }

  team(script: TeamScript = WORKS, conversation?: string): Scene {
    const guard = conversation === undefined ? {} : { conversation };
    return new Scene(this.#harness, script, { breaker: this.breaker, guard });
  }

  /** Lets the looping team loop, and be stopped. */
  async loop(): Promise<void> {
    this.looping.expectStopped(await this.looping.run());
    this.looping.expectBegun('speaker ann');
  }
}

/** Lets a team work to its end. */
async function work(scene: Scene): Promise<void> {
  expectEnded(await scene.run());
  scene.expectBegun('speaker cy', 'speaker dora');
  equal(scene.guard.trip, undefined, 'the trip of a team that works');
}

/** Lets a team run that is refused. */
async function refused(scene: Scene, ...begun: readonly string[]): Promise<void> {
  const seconds = COOLDOWN_MS / 1000;
  const reason = `the circuit is still open for ${seconds} s after an earlier run: ${ALARM_REASON}`;
  const end = await scene.run();
  expectEnded(end);
  scene.expectBegun(...begun);
  if (end.stopReason !== undefined) equal(end.stopReason, reason, 'the stop reason');
  equal(scene.guard.trip?.reason, ALARM_REASON, 'the reason of guard.trip');
}

/** A circuit belongs to the team that was guarded: teams of one breaker share none. */
export const TEAM_RULES: readonly RuleDraft[] = [
  rule(
    'ADP80',
    'stops one team of a breaker, and no other before, during or after its run',
    ['speaker'],
    async (harness) => {
      const server = new Server(harness);
      await work(server.team());
      const parallel = server.team();
      let goOn = (): void => {};
      const isStopped = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      parallel.stage.on('speaker cy', () => isStopped);
      const loop = async (): Promise<void> => {
        await inTime(parallel.stage.begun('speaker cy'), 'the beginning of the parallel run');
        await server.loop();
        goOn();
      };
      await Promise.all([work(parallel), loop()]);
      await work(server.team());
      equal(server.breaker.stopped.length, 1, 'the number of open circuits');
    },
  ),
  rule(
    'ADP81',
    'refuses the next run of a team that was stopped, and says for how long',
    ['speaker'],
    async (harness) => {
      const server = new Server(harness);
      await server.loop();
      await work(server.team());
      await refused(server.looping, 'speaker ann');
    },
  ),
  rule(
    'ADP82',
    'finds the circuit of a team that is guarded again',
    ['speaker'],
    async (harness) => {
      const server = new Server(harness);
      await work(server.team());
      await server.loop();
      server.looping.guard.uninstall();
      await work(server.team());
      const again = server.looping.team.guard(server.breaker, {});
      equal(again.trip?.reason, ALARM_REASON, 'the reason of guard.trip');
      expectEnded(await server.looping.run());
      server.looping.expectBegun('speaker ann');
    },
  ),
  rule(
    'ADP83',
    'continues the conversation that an option names, and no other',
    ['speaker'],
    async (harness) => {
      const server = new Server(harness, 'ann');
      await server.loop();
      equal(
        server.breaker.stopped.map(({ id }) => id),
        ['ann'],
        'the open circuits',
      );
      await work(server.team(WORKS, 'bob'));
      await refused(server.team(WORKS, 'ann'));
    },
  ),
];
