import { untilAborted } from '@teamfuse/core/kit';
import { FakeClock } from '../../fake-clock.ts';
import { ensure, equal } from '../expect.ts';
import type { Capability } from '../harness.ts';
import { assistant, coding, person, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, inTime, Scene } from '../scene.ts';
import type { Hang, TeamScript } from '../script.ts';

const MAX_RUN_MS = 500;
const ANSWER_MS = 700;
/** As long as a run leaves to work under way after a trip. */
const GRACE_MS = 1000;

interface Wait {
  readonly name: string;
  readonly needs: readonly Capability[];
  readonly entry: string;
  readonly script: (hangs: Hang) => TeamScript;
}

const WAITS: readonly Wait[] = [
  {
    name: 'a model',
    needs: ['model'],
    entry: 'model bot',
    script: (hangs) => team([assistant('bot', [{ hangs }])]),
  },
  {
    name: 'a tool',
    needs: ['model', 'tool'],
    entry: 'tool bot look',
    script: (hangs) => team([assistant('bot', [{ calls: [{ tool: 'look', hangs }] }])]),
  },
  {
    name: 'code',
    needs: ['code'],
    entry: 'code runner',
    script: (hangs) => team(coding({ language: 'python', code: 'wait()', hangs })),
  },
];

/** Waits end with the run. */
export const WAIT_RULES: readonly RuleDraft[] = [
  ...WAITS.flatMap(({ name, needs, entry, script }, at) => [
    rule(
      `ADP${55 + 3 * at}`,
      `ends the wait for ${name} that hangs when it is stopped by hand`,
      needs,
      async (harness) => {
        const scene = new Scene(harness, script('for-good'));
        const run = scene.run();
        await inTime(scene.stage.begun(entry), 'the beginning of the wait');
        scene.breaker.stop('enough');
        scene.expectStopped(await run, 'enough');
      },
    ),
    rule(
      `ADP${56 + 3 * at}`,
      `ends the wait for ${name} that hangs when the run has taken too long`,
      needs,
      async (harness) => {
        const clock = new FakeClock();
        const breaker = { maxRunMs: MAX_RUN_MS, now: clock.now, timers: clock.timers };
        const scene = new Scene(harness, script('for-good'), { breaker });
        const run = scene.run();
        await inTime(scene.stage.begun(entry), 'the beginning of the wait');
        clock.advance(MAX_RUN_MS + GRACE_MS);
        expectEnded(await run);
        equal(scene.guard.trip?.evidence.subject, 'run time in ms', 'the limit');
      },
    ),
    rule(`ADP${57 + 3 * at}`, `aborts ${name} when the run is stopped`, needs, async (harness) => {
      const scene = new Scene(harness, script('until-aborted'));
      const run = scene.run();
      await inTime(scene.stage.begun(entry), 'the beginning of the wait');
      const signal = scene.stage.signals.get(entry);
      ensure(signal !== undefined, `${name} was given no signal`);
      ensure(signal?.aborted === false, 'the signal had aborted before');
      scene.breaker.stop('enough');
      await run;
      ensure(signal?.aborted === true, 'the signal has not aborted');
    }),
  ]),
  rule(
    'ADP64',
    'aborts a model that the caller cancels, and opens no circuit',
    ['model', 'cancel'],
    async (harness) => {
      const scene = new Scene(harness, team([assistant('bot', [{ hangs: 'until-aborted' }])]));
      const controller = new AbortController();
      const run = scene.run({ signal: controller.signal });
      await inTime(scene.stage.begun('model bot'), 'the beginning of the wait');
      controller.abort();
      const { error } = await run;
      ensure(scene.stage.signals.get('model bot')?.aborted === true, 'the model was not aborted');
      ensure(!String(error).includes('did not end'), String(error));
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
    },
  ),
  rule(
    'ADP65',
    'ends the wait for a person when it is stopped by hand',
    ['person', 'speaker'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'Well?'), person('user', 'late')]));
      scene.stage.on('person user', () => new Promise(() => {}));
      const run = scene.run();
      await inTime(scene.stage.begun('person user'), 'the beginning of the wait');
      scene.breaker.stop('enough');
      scene.expectStopped(await run, 'enough');
    },
  ),
  rule(
    'ADP66',
    'does not count the wait for a person as run time',
    ['person', 'speaker'],
    async (harness) => {
      const script = team([
        speaker('ann', 'Well?'),
        person('user', 'Yes.'),
        speaker('bob', 'Good.'),
      ]);
      const clock = new FakeClock();
      const breaker = { maxRunMs: MAX_RUN_MS, now: clock.now, timers: clock.timers };
      const scene = new Scene(harness, script, { breaker });
      scene.stage.on('person user', async () => clock.advance(ANSWER_MS));
      expectEnded(await scene.run());
      equal(scene.guard.trip, undefined, 'guard.trip');
      scene.expectBegun('speaker ann', 'person user', 'speaker bob');
    },
  ),
];

/** A wait for a person ends with its caller, too. */
export const PERSON_RULES: readonly RuleDraft[] = [
  rule(
    'ADP75',
    'lets the caller cancel while a person is asked, and opens no circuit',
    ['person', 'speaker', 'cancel'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'Well?'), person('user', 'late')]));
      const { stage } = scene;
      const entry = 'person user';
      stage.on(entry, () => untilAborted(new Promise<never>(() => {}), stage.signals.get(entry)));
      const controller = new AbortController();
      const run = scene.run({ signal: controller.signal });
      await inTime(stage.begun(entry), 'the beginning of the wait');
      controller.abort();
      const { error } = await run;
      ensure(!String(error).includes('did not end'), String(error));
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
      scene.expectBegun('speaker ann', entry);
    },
  ),
];
