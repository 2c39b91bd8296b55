import { ensure, equal } from '../expect.ts';
import { assistant, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, Scene } from '../scene.ts';
import type { ModelScript, ToolScript } from '../script.ts';

const MISSING: ToolScript = { tool: 'serch', args: { at: 'sky' }, isMissing: true };
const LOOK: ToolScript = { tool: 'look', args: { at: 'sky' }, result: 'blue' };
const MISFIT: ToolScript = { ...LOOK, args: { at: 7 } };

/** A team of one whose model asks for these calls, one after the other, and then says that it is done. */
function asking(...calls: readonly ToolScript[]) {
  const asked: readonly ModelScript[] = calls.map((call) => ({ calls: [call] }));
  return team([assistant('bot', [...asked, { says: 'done' }])]);
}

/** Calls that reach no tool are steps like others. */
export const UNREACHED_RULES: readonly RuleDraft[] = [
  rule(
    'ADP89',
    'reports a call of a tool that there is not once, with an error',
    ['model', 'tool', 'missing-tool'],
    async (harness) => {
      const scene = new Scene(harness, asking(LOOK, MISSING));
      expectEnded(await scene.run());
      const calls = scene.ofKind('tool-call').map(({ agent, tool, args, error }) => {
        return { agent, tool, args, hasFailed: error !== undefined };
      });
      const args = { at: 'sky' };
      const found = { agent: 'bot', tool: 'look', args, hasFailed: false };
      equal(calls, [found, { ...found, tool: 'serch', hasFailed: true }], 'the tool calls');
    },
  ),
  rule(
    'ADP90',
    'stops an agent that calls a tool that there is not for the third time, and none that finds the right one',
    ['model', 'tool', 'missing-tool'],
    async (harness) => {
      const loop = new Scene(harness, asking(LOOK, MISSING, MISSING, MISSING, MISSING));
      await loop.run();
      const begun = ['model bot', 'tool bot look', 'model bot', 'model bot', 'model bot'];
      equal(loop.stage.journal, begun, 'what began in a loop');
      ensure(loop.guard.trip !== undefined, 'the loop was not stopped');
      const twin = new Scene(harness, asking(MISSING, MISSING, LOOK));
      expectEnded(await twin.run());
      equal(twin.guard.trip, undefined, 'the trip of the healthy twin');
    },
  ),
  rule(
    'ADP91',
    'reports a call whose arguments do not fit once, with an error, and stops the third',
    ['model', 'tool', 'schema'],
    async (harness) => {
      const once = new Scene(harness, asking(MISFIT, LOOK));
      expectEnded(await once.run());
      const failed = once.ofKind('tool-call').map(({ error }) => error !== undefined);
      equal(failed, [true, false], 'which tool calls have failed');
      const loop = new Scene(harness, asking(MISFIT, MISFIT, MISFIT, MISFIT, MISFIT));
      await loop.run();
      equal(loop.stage.journal, ['model bot', 'model bot', 'model bot'], 'what began in a loop');
      ensure(loop.guard.trip !== undefined, 'the loop was not stopped');
    },
  ),
];
