import { Breaker, type Trip } from '@teamfuse/core';
import { ensure, equal, fail } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, lookAndSay, speaker, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { type Ending, expectEnded, Scene } from '../scene.ts';
import type { ModelScript } from '../script.ts';
import { expectUntouched, stateOf } from './install.ts';

const USERS = 20;
/** What each call of the model takes: more than any prompt here is estimated at. */
const USAGE = { inputTokens: 1000, outputTokens: 100 };
const TOKENS = USAGE.inputTokens + USAGE.outputTokens;
/** So often the model is asked at most by a loop that nothing stops. */
const LONGEST = 30;
/** A user whose purse holds three calls. */
const POOR = 'user-0-poor';
const LOOPING = ['user-1-loops', 'user-2-loops', 'user-3-loops', 'user-4-loops', 'user-5-loops'];
const WELL = Array.from({ length: USERS - 6 }, (_, at) => `user-${at + 6}-well`);

/** Many users of one team. Whoever loops asks for the same again and again, the others for four things. */
class Crowd {
  readonly scene: Scene;
  /** How many calls of the model were answered, by user. */
  readonly served: Map<string, number> = new Map();
  readonly #trips: Trip[] = [];
  readonly #isAtOnce: boolean;

  constructor(harness: AdapterHarness) {
    this.scene = new Scene(harness, team([assistant('bot', lookAndSay('done'))]), {
      breaker: { budget: { users: { [POOR]: { maxTokens: 3 * TOKENS } } } },
    });
    this.#isAtOnce = harness.lacks?.['side-by-side'] === undefined;
    this.scene.breaker.on('trip', (trip) => this.#trips.push(trip));
    this.scene.stage.answer('bot', (prompt) => this.#answer(prompt));
  }

  /** Lets each user make a request: at the same time, if the framework can do that. */
  async work(users: readonly string[]): Promise<ReadonlyMap<string, Ending>> {
    const ends = new Map<string, Ending>();
    const ask = async (user: string): Promise<void> => {
      const { guard } = this.scene;
      ends.set(user, await guard.run({ user }, () => this.scene.run({ task: `I am ${user}.` })));
    };
    if (this.#isAtOnce) {
      this.#untilAll(users.length);
      await Promise.all(users.map(ask));
    } else for (const user of users) await ask(user);
    return ends;
  }

  /** The trips of a user: of his budget, or of a loop. */
  tripsOf(user: string): readonly string[] {
    return this.#trips
      .filter(({ conversation }) => conversation.startsWith(`user:${user}/`))
      .map(({ kind }) => (kind === 'budget' ? kind : 'loop'));
  }

  /** No call of the model ends before every user has made one. */
  #untilAll(users: number): void {
    let waiting = 0;
    let goOn = (): void => {};
    const areAllHere = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    this.scene.stage.on('model bot', () => {
      waiting++;
      if (waiting === users) goOn();
      return areAllHere;
    });
  }

  #answer(prompt: readonly string[]): ModelScript {
    // An agent may remember what others have said before.
    const user = prompt
      .join('\n')
      .match(/user-\d+-\w+/g)
      ?.at(-1);
    if (user === undefined) return fail(`no user in the prompt ${JSON.stringify(prompt)}`);
    const served = (this.served.get(user) ?? 0) + 1;
    this.served.set(user, served);
    const isLooping = LOOPING.includes(user);
    if (served > (isLooping ? LONGEST : 4)) return { says: `done for ${user}`, usage: USAGE };
    const at = isLooping ? user : `${user}, part ${served}`;
    return { calls: [{ tool: 'look', args: { at } }], usage: USAGE };
  }
}

/** One team serves many users at once. */
export const USER_RULES: readonly RuleDraft[] = [
  rule(
    'ADP92',
    'lets each of twenty users of one team pay, and be stopped, for themselves alone',
    ['model', 'tool'],
    async (harness) => {
      const alone = new Crowd(harness);
      await alone.work(LOOPING.slice(0, 1));
      const looped = alone.served.get(LOOPING[0] ?? '');
      const crowd = new Crowd(harness);
      const ends = await crowd.work([POOR, ...LOOPING, ...WELL]);
      for (const end of ends.values()) expectEnded(end);
      const { breaker, stage, guard } = crowd.scene;
      for (const user of ends.keys()) {
        const calls = crowd.served.get(user) ?? 0;
        const isLooping = LOOPING.includes(user);
        equal(calls, isLooping ? looped : user === POOR ? 3 : 5, `the calls of ${user}`);
        const { cost } = breaker.for({ user });
        equal(cost.tokens, calls * TOKENS, `the tokens that ${user} pays`);
        const trips = isLooping ? ['loop'] : user === POOR ? ['budget'] : [];
        equal(crowd.tripsOf(user), trips, `the trips of ${user}`);
      }
      const calls = stage.journal.filter((entry) => entry === 'model bot').length;
      equal(breaker.cost.tokens, calls * TOKENS, 'the tokens of all');
      equal(guard.trip, undefined, 'guard.trip outside of guard.run()');
    },
  ),
  rule(
    'ADP93',
    'refuses a second guard for another tenant as long as the first one is there, and names the right way',
    ['speaker'],
    async (harness) => {
      const breaker = new Breaker();
      const scene = new Scene(harness, team([speaker('ann', 'one', 'two')]), {
        breaker: breaker.for({ user: 'ann' }),
      });
      const before = stateOf(scene.team);
      for (const other of [breaker.for({ user: 'bob' }), breaker.for({ user: 'ann' }), breaker]) {
        const error = refusal(() => scene.team.guard(other, {}));
        equal(Reflect.get(error, 'code'), 'GUARD_INSTALL', 'the error code');
        ensure(String(error).includes('guard.run({ user }'), `the error says only: ${error}`);
      }
      expectUntouched(before, stateOf(scene.team));
      expectEnded(await scene.run());
      scene.guard.uninstall();
      const next = scene.team.guard(breaker.for({ user: 'bob' }), {});
      expectEnded(await scene.run());
      next.uninstall();
    },
  ),
];

function refusal(install: () => unknown): object {
  try {
    install();
  } catch (error) {
    return Object(error);
  }
  return fail('the guard was accepted');
}
