import { setTimeout as pause } from 'node:timers/promises';
import {
  type BreakerOptions,
  guard,
  MemoryBudgetStore,
  type RequestInput,
} from '../../../packages/core/src/index.ts';
import { orRejection, type Timers } from '../../../packages/core/src/kit.ts';
import { staleText } from '../../../packages/core/test/support/stale.ts';
import {
  type CircuitStore,
  MemoryCircuitStore,
  MemoryConversationStore,
  runInConversation,
  shared,
} from '../../../packages/stores/src/fleet/index.ts';
import { MemoryHistoryStore, runWithHistory } from '../../../packages/stores/src/history/index.ts';
import { breakerOf, heard, type Scenes } from '../scene.ts';

const CALL: RequestInput = { kind: 'model-request', agent: 'ann', model: 'm', inputTokens: 10 };
const TURN = { kind: 'turn', agent: 'ann' } as const;
const USAGE = {
  kind: 'usage',
  agent: 'ann',
  model: 'm',
  inputTokens: 10,
  outputTokens: 5,
} as const;
const SOON_MS = 10;
/** Enough for a judge to be asked. */
const STALE_STEPS = 8;
const LIMITS = { maxTokens: 100_000, whenFull: 'wait', storeTimeoutMs: SOON_MS } as const;
/** Timers by which everything is late soon. */
const IMPATIENT: Timers = {
  set: (ring, ms) => setTimeout(ring, Math.min(ms, SOON_MS)),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};
const says = (text: string) => ({ kind: 'message', agent: 'ann', text }) as const;
const usage = { ...USAGE, costUsd: 0.01 };

/** A caller who leaves. */
function leaving(): { readonly signal: AbortSignal; readonly leave: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, leave: () => controller.abort() };
}

/** What fails in core itself. */
export const CORE: Scenes = {
  'a store of budgets': {
    told: 'store',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'reserve', 'settle', 'totals');
      const breaker = breakerOf({ budget: { ...LIMITS, store } }, tell);
      await heard(
        breaker.run(CALL, () => 'an answer'),
        tell,
      );
      breaker.observe(usage);
      breaker.conversation().trackCost(0.01);
    },
  },
  'a store of budgets that has admitted': {
    told: 'store',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'settle');
      const breaker = breakerOf({ budget: { ...LIMITS, store } }, tell);
      await breaker.run(CALL, () => ({ usage: { inputTokens: 10, outputTokens: 5 } }));
      breaker.observe(usage);
      await pause(2 * SOON_MS);
    },
  },
  'a store whose caller has gone': {
    told: 'caller',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'reserve', 'settle');
      const breaker = breakerOf({ budget: { ...LIMITS, store } }, tell);
      const { signal, leave } = leaving();
      const run = heard(
        breaker.run(CALL, () => 'an answer', { signal }),
        tell,
      );
      leave();
      await run;
    },
  },
  'a call that others wait for': {
    told: 'caller',
    play: async (fault, tell) => {
      const store = fault.in(new MemoryBudgetStore(), 'settle');
      const budget = { ...LIMITS, maxTokens: 100, reserveTokens: 0, store };
      const breaker = breakerOf({ budget }, tell);
      const call = { ...CALL, maxOutputTokens: 80 } as const;
      const { signal, leave } = leaving();
      const first = heard(breaker.run(call, fault.fail), tell);
      const waiting = heard(
        breaker.run(call, () => 'an answer', { signal }),
        tell,
      );
      leave();
      await waiting;
      breaker.stop('enough');
      await first;
    },
  },
  'a store of circuits': {
    told: 'store',
    play: async (fault, tell) => {
      const follow: CircuitStore['follow'] = () => ({ known: fault.fail(), end: () => {} });
      const circuits = Object.assign(fault.in(new MemoryCircuitStore(), 'apply'), { follow });
      const options = {
        circuits: shared(circuits),
        timers: IMPATIENT,
        cooldownMs: 0,
        maxMessages: 1,
      };
      const chat = breakerOf(options, tell).conversation('a chat');
      chat.observe(says('Good morning.'));
      chat.observe(says('And good night.'));
      await heard(
        chat.run(TURN, () => 'a turn'),
        tell,
      );
      chat.stop('enough');
      chat.reset();
      await pause(2 * SOON_MS);
    },
  },
  'a store of runs': {
    told: 'history',
    play: (fault, tell) => {
      const store = fault.in(new MemoryHistoryStore(), 'latest', 'append');
      const history = { store, task: 'a report', timeoutMs: SOON_MS };
      return runWithHistory(breakerOf({}, tell), history, () => 'a report');
    },
  },
  'a store of conversations': {
    told: 'store',
    play: (fault, tell) => {
      const store = fault.in(new MemoryConversationStore(), 'load', 'save');
      const breaker = breakerOf({ timers: IMPATIENT }, tell);
      return runInConversation(breaker, { store, id: 'a chat' }, () => 'an answer');
    },
  },
  'every listener': {
    told: 'trip',
    play: (fault, tell) => {
      const breaker = breakerOf({ maxMessages: 1, budget: { maxUsd: 1 } }, tell);
      const events = ['signal', 'finding', 'trip', 'refusal', 'spend', 'state'] as const;
      for (const event of [...events, 'answer', 'error'] as const) breaker.on(event, fault.fail);
      const chat = breaker.conversation();
      chat.onOpen(fault.fail);
      chat.beginRun();
      chat.observe(usage);
      for (const text of ['Good morning.', 'And good night.']) chat.observe(says(text));
      chat.admit(TURN);
    },
  },
  'a judge': {
    told: 'judge',
    play: async (fault, tell) => {
      const judge = { confirm: fault.fail, askAt: 0.1, timeoutMs: SOON_MS };
      for (const blocking of [false, true]) {
        const breaker = breakerOf({ judge: { ...judge, blocking } }, tell);
        for (let step = 0; step < STALE_STEPS; step++) {
          breaker.observe(says(staleText(step)));
          await breaker.admit(TURN);
        }
        await breaker.conversation().answered();
      }
    },
  },
  'a judge whose team has stopped': {
    told: 'caller',
    play: async (fault, tell) => {
      const judge = { confirm: fault.fail, askAt: 0.1, blocking: true };
      const breaker = breakerOf({ judge }, tell);
      const { signal, leave } = leaving();
      const waiting: Promise<void>[] = [];
      for (let step = 0; step < STALE_STEPS; step++) {
        breaker.observe(says(staleText(step)));
        waiting.push(
          heard(
            breaker.run(TURN, () => 'a turn', { signal }),
            tell,
          ),
        );
      }
      leave();
      breaker.stop('enough');
      await Promise.all(waiting);
    },
  },
  'what is asked for a price, and what redacts': {
    told: 'prices',
    play: (fault, tell) => {
      const options = { prices: { price: fault.fail }, redact: fault.fail, maxMessages: 1 };
      const breaker = breakerOf(options as object as BreakerOptions, tell);
      breaker.observe(USAGE);
      for (const text of ['Good morning.', 'And good night.']) breaker.observe(says(text));
    },
  },
  'a detector': {
    told: 'detector',
    play: (fault, tell) => {
      const methods = {
        observe: fault.fail,
        reset: fault.fail,
        restore() {},
        snapshot: () => null,
      };
      const detector = { kind: 'custom:own', ...methods } as object as ReturnType<
        NonNullable<BreakerOptions['detectors']>[number]
      >;
      const breaker = breakerOf({ detectors: [() => detector] }, tell);
      breaker.observe(says('Good morning.'));
      breaker.reset();
    },
  },
  'a call that others are throttled by': {
    told: 'caller',
    play: async (fault, tell) => {
      const throttle = { maxConcurrent: 1, maxWaitMs: SOON_MS };
      const breaker = breakerOf({ throttle, timers: IMPATIENT }, tell);
      const { signal, leave } = leaving();
      const first = heard(breaker.run(CALL, fault.fail), tell);
      const late = heard(
        breaker.run(CALL, () => 'an answer'),
        tell,
      );
      const left = heard(
        breaker.run(CALL, () => 'an answer', { signal }),
        tell,
      );
      leave();
      await Promise.all([left, late]);
      breaker.stop('enough');
      await first;
    },
  },
  'work, its report and its fallback': {
    told: 'caller',
    play: async (fault, tell) => {
      const breaker = breakerOf({}, tell);
      const report = fault.fail as object as () => undefined;
      const { signal, leave } = leaving();
      const stopped = heard(breaker.run(TURN, fault.fail, { report }), tell);
      const left = heard(breaker.run(TURN, fault.fail, { signal }), tell);
      await heard(
        breaker.run(TURN, () => 'a turn', { report }),
        tell,
      );
      leave();
      breaker.stop('enough');
      await Promise.all([stopped, left]);
      const refused = breaker.run(TURN, () => 'a turn', { fallback: fault.fail });
      await Promise.race([heard(refused, tell), pause(SOON_MS)]);
    },
  },
  'a guarded function, and what its options name': {
    told: 'caller',
    play: async (fault, tell) => {
      const callback = fault.fail as object as () => never;
      const ask = guard(fault.fail, { onTrip: callback, onError: callback, loop: { repeats: 2 } });
      for (let call = 0; call < 4; call++) {
        const asked = heard(Promise.resolve(orRejection(ask)), tell);
        await Promise.race([asked, pause(SOON_MS)]);
      }
      const told = { cost: callback, isFailure: callback, isRetryable: callback };
      await guard(async () => 'an answer', told)();
      const paid = { estimate: callback, tokens: callback, signature: callback };
      await heard(Promise.resolve(orRejection(guard(async () => 'an answer', paid))), tell);
    },
  },
};
