import { Breaker, type BreakerError } from '@teamfuse/core';
import { alarmOn, says } from '../alarm.ts';
import { ensure, equal, fail } from '../expect.ts';
import type { AdapterHarness, ContractTeam } from '../harness.ts';
import { assistant, lookAndSay, nested, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, expectKept, Scene } from '../scene.ts';
import type { MemberScript, TeamScript } from '../script.ts';
import { Stage } from '../stage.ts';

type Parts = readonly (readonly [object, ReadonlyMap<PropertyKey, PropertyDescriptor>])[];

/** All own members of everything that a guard may change. */
export function stateOf({ parts }: ContractTeam): Parts {
  return parts.map((part) => {
    const descriptors = Object.getOwnPropertyDescriptors(part) as Record<
      string,
      PropertyDescriptor
    >;
    return [part, new Map(Reflect.ownKeys(part).map((key) => [key, read(descriptors, key)]))];
  });
}

function read(from: object, key: PropertyKey): PropertyDescriptor {
  return Reflect.get(from, key) as PropertyDescriptor;
}

/** A member that was added, removed or replaced, and the part that it is in. */
interface Change {
  readonly at: number;
  readonly key: PropertyKey;
}

function changesOf(before: Parts, after: Parts): readonly Change[] {
  return before.flatMap(([, members], at) => {
    const now = after[at]?.[1] ?? new Map<PropertyKey, PropertyDescriptor>();
    const isSame = (key: PropertyKey): boolean => {
      const [was, is] = [members.get(key), now.get(key)];
      return (
        was !== undefined &&
        is !== undefined &&
        Object.is(was.value, is.value) &&
        was.get === is.get &&
        was.set === is.set &&
        was.enumerable === is.enumerable
      );
    };
    const keys = [...new Set([...members.keys(), ...now.keys()])];
    return keys.filter((key) => !isSame(key)).map((key) => ({ at, key }));
  });
}

/** Fails if a member was added, removed or replaced, but for what the framework changes itself. */
export function expectUntouched(before: Parts, after: Parts, own: readonly Change[] = []): void {
  const isOwn = (found: Change): boolean =>
    own.some(({ at, key }) => at === found.at && key === found.key);
  const trace = changesOf(before, after).find((change) => !isOwn(change));
  if (trace === undefined) return;
  const part = before[trace.at]?.[0] as { readonly name?: unknown };
  const { name = part.constructor.name } = part;
  fail(`the guard has left a trace in member '${String(trace.key)}' of '${String(name)}'`);
}

/** What a run changes in the parts of such a team without a guard. */
async function changesByRun(
  harness: AdapterHarness,
  script: TeamScript,
): Promise<readonly Change[]> {
  const built = harness.build(script, new Stage(script));
  const before = stateOf(built);
  await built.run('Begin', {});
  return changesOf(before, stateOf(built));
}

function membersFor({ lacks = {} }: AdapterHarness): readonly MemberScript[] {
  const members: MemberScript[] = [speaker('ann', 'first', 'again')];
  if (lacks.model === undefined) members.push(assistant('bot', [{ says: 'a' }], [{ says: 'b' }]));
  if (lacks.nested === undefined) members.push(nested(speaker('bob', 'inside', 'once more')));
  return members;
}

/** Fails unless an installation is refused. */
export function expectRefused(install: () => unknown, what: string): void {
  try {
    install();
  } catch (error) {
    equal((error as BreakerError).code, 'GUARD_INSTALL', `the error code for ${what}`);
    return;
  }
  fail(`${what} was accepted`);
}

/** A guard can be installed once, and removed without a trace. */
export const INSTALL_RULES: readonly RuleDraft[] = [
  ...(['first', 'last'] as const).map((which, at) =>
    rule(
      `ADP${42 + at}`,
      `leaves no trace of two guards of which the ${which} one is removed first`,
      ['speaker'],
      async (harness) => {
        const script = team(membersFor(harness));
        const stage = new Stage(script);
        const built = harness.build(script, stage);
        const before = stateOf(built);
        const guards = [built.guard(new Breaker(), {}), built.guard(new Breaker(), {})];
        await built.run('Begin', {});
        for (const guard of at === 0 ? guards : guards.reverse()) guard.uninstall();
        expectUntouched(before, stateOf(built), await changesByRun(harness, script));
      },
    ),
  ),
  rule(
    'ADP44',
    'observes nothing and stops nothing once it is uninstalled',
    ['speaker'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'one')]));
      scene.guard.uninstall();
      scene.guard.uninstall();
      scene.breaker.stop('closed');
      expectEnded(await scene.run());
      scene.expectBegun('speaker ann');
      equal(scene.signals, [], 'the signals');
    },
  ),
  rule(
    'ADP45',
    'lets a run under way continue unguarded when it is uninstalled',
    ['model', 'tool', 'speaker'],
    async (harness) => {
      const script = team([assistant('bot', lookAndSay('done')), speaker('ann', 'stuck')]);
      const breaker = { detectors: [alarmOn(says('stuck'))] };
      const scene = new Scene(harness, script, { breaker });
      let told = 0;
      scene.stage.on('tool bot look', () => {
        scene.guard.uninstall();
        told = scene.signals.length;
      });
      const end = await scene.run();
      expectEnded(end);
      expectKept(end, 'done', 'stuck');
      const late = scene.signals.slice(told).filter(({ kind }) => kind !== 'tool-call');
      equal(late, [], 'what was observed of work that began later');
    },
  ),
  rule(
    'ADP46',
    'refuses a second guard of the same breaker on the same team, and leaves the first one as it is',
    ['speaker'],
    async (harness) => {
      const scene = new Scene(harness, team([speaker('ann', 'one'), speaker('bob', 'two')]));
      const before = stateOf(scene.team);
      expectRefused(() => scene.team.guard(scene.breaker, {}), 'a second guard');
      expectUntouched(before, stateOf(scene.team));
      expectEnded(await scene.run());
      equal(scene.ofKind('message').length, 2, 'the number of messages');
      scene.guard.uninstall();
      scene.team.guard(scene.breaker, {}).uninstall();
    },
  ),
  rule('ADP47', 'refuses anything that is no breaker', [], async (harness) => {
    const script = team([speaker('ann', 'one')]);
    const built = harness.build(script, new Stage(script));
    const before = stateOf(built);
    for (const given of [undefined, {}, { observe() {} }]) {
      expectRefused(() => built.guard(given as never, {}), JSON.stringify(given) ?? 'nothing');
    }
    expectUntouched(before, stateOf(built));
  }),
  rule(
    'ADP48',
    'lets two breakers guard a team, each of which sees everything once and may stop it',
    ['speaker'],
    async (harness) => {
      const script = team([speaker('ann', 'one'), speaker('bob', 'two'), speaker('cy', 'three')]);
      const scene = new Scene(harness, script, { breaker: { detectors: [alarmOn(says('two'))] } });
      const other = new Breaker();
      const told: string[] = [];
      other.on('signal', ({ signal }) => signal.kind === 'message' && told.push(signal.text));
      scene.team.guard(other, {});
      scene.expectStopped(await scene.run());
      scene.expectBegun('speaker ann', 'speaker bob');
      equal(told, ['one', 'two'], 'what the other breaker observed');
      ensure(other.conversation().trip === undefined, 'the other breaker has opened, too');
    },
  ),
];

/** A guard may belong to a block. */
export const DISPOSAL_RULES: readonly RuleDraft[] = [
  rule(
    'ADP71',
    'leaves no trace once it is disposed of, such as at the end of a using block',
    ['speaker'],
    async (harness) => {
      const script = team(membersFor(harness));
      const built = harness.build(script, new Stage(script));
      const before = stateOf(built);
      const guard = built.guard(new Breaker(), {});
      guard[Symbol.dispose]();
      expectUntouched(before, stateOf(built));
      guard[Symbol.dispose]();
    },
  ),
];
