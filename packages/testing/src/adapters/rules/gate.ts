import { Breaker, type Signal } from '@teamfuse/core';
import { alarmOn } from '../alarm.ts';
import { equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { type Ending, expectEnded, inTime, Scene } from '../scene.ts';
import type { ToolScript } from '../script.ts';

const TEAMS = ['one', 'two', 'three'];

/** One answer that asks for so many calls, of which none is like another. */
async function calling(
  harness: AdapterHarness,
  calls: number,
  maxToolCalls: number,
): Promise<{ readonly scene: Scene; readonly end: Ending }> {
  const all = Array.from(
    { length: calls },
    (_, i): ToolScript => ({ tool: 'look', args: { at: `place ${i}` }, result: `view ${i}` }),
  );
  const script = team([assistant('bot', [{ calls: all }, { says: 'done' }])]);
  const scene = new Scene(harness, script, { breaker: { maxToolCalls } });
  return { scene, end: await scene.run() };
}

function begun({ stage }: Scene): number {
  return stage.journal.filter((entry) => entry === 'tool bot look').length;
}

/** A turn whose model wants a tool again and again. */
function insisting(harness: AdapterHarness, kind: Signal['kind']): Scene {
  const call = { tool: 'look', args: { at: 'sky' }, result: 'blue' };
  const turn = Array.from({ length: 8 }, () => ({ calls: [call] }));
  const script = team([assistant('bot', [...turn, { says: 'done' }])]);
  return new Scene(harness, script, {
    breaker: { detectors: [alarmOn((signal) => signal.kind === kind)] },
  });
}

/** Limits and stops hold for steps side by side, and for all steps after them. */
export const GATE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP84',
    'begins as many tool calls of one answer as are allowed, and no more',
    ['model', 'tool'],
    async (harness) => {
      const { scene, end } = await calling(harness, 12, 4);
      expectEnded(end);
      equal(begun(scene), 4, 'the number of tool calls');
      const { kind, evidence } = scene.guard.trip ?? {};
      equal([kind, evidence?.count, evidence?.limit], ['limit', 4, 4], 'the trip');
    },
  ),
  rule(
    'ADP85',
    'begins all tool calls of one answer that are allowed, and goes on',
    ['model', 'tool'],
    async (harness) => {
      const { scene, end } = await calling(harness, 4, 5);
      expectEnded(end);
      equal(begun(scene), 4, 'the number of tool calls');
      equal(scene.guard.trip, undefined, 'the trip');
    },
  ),
  rule(
    'ADP86',
    'begins nothing in any run of a breaker that is stopped, until it is reset',
    ['speaker'],
    async (harness) => {
      const breaker = new Breaker();
      const scenes = TEAMS.map(
        (name) =>
          new Scene(harness, team([speaker(name, 'first', 'again'), speaker(`${name}_b`, 'x')]), {
            breaker,
          }),
      );
      let goOn = (): void => {};
      const isStopped = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      for (const [i, { stage }] of scenes.entries()) {
        stage.on(`speaker ${TEAMS[i]}`, () => isStopped);
      }
      const runs = scenes.map((scene) => scene.run());
      const all = scenes.map(({ stage }, i) => stage.begun(`speaker ${TEAMS[i]}`));
      await inTime(Promise.all(all), 'the beginning of the runs');
      breaker.stop('all of them');
      goOn();
      for (const [i, scene] of scenes.entries()) {
        scene.expectStopped((await runs[i]) as Ending, 'all of them');
        scene.expectBegun(`speaker ${TEAMS[i]}`);
      }
      const late = new Scene(harness, team([speaker('late', 'first', 'second')]), { breaker });
      late.expectStopped(await late.run(), 'all of them');
      late.expectBegun();
      breaker.reset();
      expectEnded(await late.run());
      late.expectBegun('speaker late');
    },
  ),
  rule(
    'ADP87',
    'asks no model again once a tool is refused, however often the model wants it',
    ['model', 'tool'],
    async (harness) => {
      const scene = insisting(harness, 'usage');
      scene.expectStopped(await scene.run());
      scene.expectBegun('model bot');
    },
  ),
  rule(
    'ADP88',
    'ends a turn in the middle even where the framework swallows what a guard throws',
    ['model', 'tool'],
    async (harness) => {
      const scene = insisting(harness, 'tool-call');
      scene.expectStopped(await scene.run());
      scene.expectBegun('model bot', 'tool bot look');
    },
  ),
];
