import type { GuardOptions } from '@teamfuse/adapter-kit';
import { type BudgetStore, MemoryBudgetStore, type Signal } from '@teamfuse/core';
import { alarmOn, says } from '../alarm.ts';
import { ensure, equal } from '../expect.ts';
import type { AdapterHarness } from '../harness.ts';
import { assistant, lookAndSay, team } from '../members.ts';
import { type RuleDraft, rule } from '../rule.ts';
import { expectEnded, expectKept, Scene, type SceneOptions } from '../scene.ts';

const OUT_OF_ORDER = 'out of order';

const broken = (): never => {
  throw new Error(OUT_OF_ORDER);
};

/** A team that calls a model and a tool under a guard of which something is broken; it must not notice. */
async function undisturbed(harness: AdapterHarness, options: SceneOptions): Promise<Scene> {
  const script = team([assistant('bot', lookAndSay('done'))]);
  const scene = new Scene(harness, script, options);
  const end = await scene.run();
  expectEnded(end);
  expectKept(end, 'done');
  scene.expectBegun('model bot', 'tool bot look', 'model bot');
  return scene;
}

/** Fails unless `onError` received the error. */
function expectReported({ problems }: Scene, during: string): void {
  const isReported = problems.some(
    (problem) => problem.during === during && String(problem.error).includes(OUT_OF_ORDER),
  );
  ensure(isReported, `onError received no '${OUT_OF_ORDER}' during '${during}'`);
}

const LIMIT = { maxTokens: 1000 };

/** A store in which one member fails. */
function storeWithout(member: 'reserve' | 'settle'): BudgetStore {
  const store = new MemoryBudgetStore();
  const failing = { [member]: () => Promise.reject(new Error(OUT_OF_ORDER)) };
  return {
    reserve: (id, amount, limits) => store.reserve(id, amount, limits),
    settle: (id, actual) => store.settle(id, actual),
    totals: () => store.totals(),
    ...failing,
  };
}

const PARTS = ['model', 'tool'] as const;

/** Observation fails open, and refusal fails closed. */
export const FAILURE_RULES: readonly RuleDraft[] = [
  rule('ADP33', 'continues when a detector throws, and reports it', PARTS, async (harness) => {
    const detectors = [alarmOn(broken as (signal: Signal) => never)];
    expectReported(await undisturbed(harness, { breaker: { detectors } }), 'breaker');
  }),
  rule('ADP34', 'continues when a listener throws, and reports it', PARTS, async (harness) => {
    const script = team([assistant('bot', lookAndSay('done'))]);
    const scene = new Scene(harness, script);
    scene.breaker.on('signal', broken);
    expectEnded(await scene.run());
    expectReported(scene, 'breaker');
  }),
  rule(
    'ADP35',
    'continues when a price book throws, and leaves the price unknown',
    PARTS,
    async (harness) => {
      const scene = await undisturbed(harness, { guard: { prices: { price: broken } } });
      equal(
        scene.ofKind('usage').map(({ costUsd }) => costUsd),
        [null, null],
        'the costs',
      );
      expectReported(scene, 'observe');
    },
  ),
  rule('ADP36', 'continues when a token counter throws', PARTS, async (harness) => {
    const counter = { countMessages: broken };
    const scene = await undisturbed(harness, { guard: { counter } });
    equal(scene.ofKind('usage').length, 2, 'the number of usage signals');
    expectReported(scene, 'observe');
  }),
  rule('ADP37', 'continues when onError throws', PARTS, async (harness) => {
    const guard: GuardOptions = { prices: { price: broken }, onError: broken };
    await undisturbed(harness, { breaker: { detectors: [alarmOn(broken)] }, guard });
  }),
  rule('ADP38', 'continues when the function nudge throws', PARTS, async (harness) => {
    const isCall = ({ kind }: Signal): boolean => kind === 'tool-call';
    const breaker = { reaction: 'warn', detectors: [alarmOn(isCall)] } as const;
    expectReported(await undisturbed(harness, { breaker, guard: { nudge: broken } }), 'warn');
  }),
  rule('ADP39', 'still stops the team when onError throws', ['model'], async (harness) => {
    const script = team([assistant('bot', [{ says: 'one' }], [{ says: 'two' }])], 2);
    const breaker = { detectors: [alarmOn(says('one'))] };
    const guard: GuardOptions = { prices: { price: broken }, onError: broken };
    const scene = new Scene(harness, script, { breaker, guard });
    scene.expectStopped(await scene.run());
    scene.expectBegun('model bot');
  }),
  rule(
    'ADP40',
    'refuses a model call that the budget store cannot reserve for, ends the run and reports it',
    ['model'],
    async (harness) => {
      const script = team([assistant('bot', [{ says: 'one' }])]);
      const breaker = { budget: { ...LIMIT, store: storeWithout('reserve') } };
      const scene = new Scene(harness, script, { breaker });
      const end = await scene.run();
      expectEnded(end);
      ensure(end.stopReason !== '', 'there is no stop reason');
      scene.expectBegun();
      expectReported(scene, 'breaker');
      equal(scene.breaker.conversation().state.status, 'closed', 'the state of the circuit');
    },
  ),
  rule(
    'ADP41',
    'continues when the budget store cannot settle, and reports it',
    PARTS,
    async (harness) => {
      const breaker = { budget: { ...LIMIT, store: storeWithout('settle') } };
      const scene = await undisturbed(harness, { breaker });
      await new Promise(setImmediate);
      expectReported(scene, 'breaker');
    },
  ),
];

/** Spend that cannot be accounted for is not spent. */
export const STORE_RULES: readonly RuleDraft[] = [
  rule(
    'ADP70',
    'refuses a model call when the budget store answers nonsense or not at all, and reports it',
    ['model'],
    async (harness) => {
      const answers = [
        () => undefined,
        () => ({ isGranted: 'no', totals: { spent: Number.NaN } }),
        () => new Promise(() => {}),
      ];
      for (const reserve of answers) {
        const store = { reserve, settle: reserve, totals: reserve } as unknown as BudgetStore;
        const breaker = { budget: { maxTokens: 1000, store, storeTimeoutMs: 20 } };
        const script = team([assistant('bot', [{ says: 'one' }])]);
        const scene = new Scene(harness, script, { breaker });
        await scene.run();
        scene.expectBegun();
        const isReported = scene.problems.some(({ error }) => String(error).includes('reserve'));
        ensure(isReported, 'onError received no error of the store');
      }
    },
  ),
];
