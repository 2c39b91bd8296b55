import { OpenStep } from '../../src/admission/open-step.ts';
import { Conversation } from '../../src/breaker/conversation.ts';
import { Conversations } from '../../src/breaker/conversations.ts';
import { TenantStops } from '../../src/breaker/remembered-stops.ts';
import { Reservations } from '../../src/budget/calls/reservations.ts';
import { WaitingCalls } from '../../src/budget/calls/waiting-calls.ts';
import { SpendTracker } from '../../src/budget/spend-tracker.ts';
import { CircuitController } from '../../src/circuit/circuit-controller.ts';
import { Detection } from '../../src/detection/detection.ts';
import { Gates } from '../../src/detection/limits/gates.ts';
import { LimitDetector } from '../../src/detection/limits/limit-detector.ts';
import { BreakerEvents } from '../../src/events/breaker-events.ts';
import { Tally } from '../../src/events/counters.ts';
import { MemoryBudgetStore } from '../../src/index.ts';
import type { Amount, BudgetLimits } from '../../src/kit.ts';
import { Limiter } from '../../src/throttle/limiter.ts';
import { CallSlots } from '../../src/throttle/slots.ts';
import { Throttle } from '../../src/throttle/throttle.ts';
import { both, every } from './plant.ts';
import type { Scene } from './scene.ts';

/** A fault that is planted into the engine, and what it breaks. */
export interface Fault {
  readonly breaks: string | readonly string[];
  /** The first scene in which it is looked for: a short one that shows it. */
  readonly from: number;
  /** Plants it into the code. Returns the function that takes it out again. */
  readonly plant?: () => () => void;
  /** Plants it into one scene. */
  readonly spoil?: ((scene: Scene) => void) | undefined;
}

const BOOKED = 'what was served is booked, once';
const BUDGET = 'a budget holds for all calls together';
const DECLARED = 'no more is admitted than declared';
const OPEN = 'an open circuit lets one probe through';
const ENDS = 'what is over ends at once';
const UNHELD = 'nothing stays reserved';
const WAITS = 'nothing waits for ever';
const CONCURRENT = 'no more model calls are under way than the throttle lets';
const RATE = 'no more model calls begin in a minute than the throttle lets';
const STOP = 'after a stop nothing begins';
const TOLD = 'each opening is told once';

const ALONE = 'each conversation lives as if it were alone';
const HEALTHY = 'healthy work goes on';

const NO_COUNTS = new Tally().snapshot();
const NOTHING: Amount = { nanoUsd: 0, tokens: 0 };

export const FAULTS: Readonly<Record<string, Fault>> = {
  'a store that loses what was spent': {
    breaks: BOOKED,
    from: 78,
    plant: every(MemoryBudgetStore, 'settle', 7, (settle, [id, , purses]) =>
      settle(id, NOTHING, purses),
    ),
  },
  'a store that books twice': {
    breaks: BOOKED,
    from: 55,
    plant: every(MemoryBudgetStore, 'settle', 7, (settle, [id, actual, purses]) => {
      settle(id, actual, purses);
      return settle(undefined, actual, purses);
    }),
  },
  'a store that forgets to release': {
    breaks: UNHELD,
    from: 91,
    plant: every(MemoryBudgetStore, 'settle', 7, (settle, [, actual, purses]) =>
      settle(undefined, actual, purses),
    ),
  },
  'a store that grants what it has not looked at': {
    breaks: BUDGET,
    from: 49,
    plant: every(MemoryBudgetStore, 'reserve', 3, (reserve, [id, amount, , purses = []]) =>
      reserve(
        id,
        amount,
        {},
        purses.map(({ name }) => ({ name })),
      ),
    ),
  },
  'a store that keeps no purses': {
    breaks: BUDGET,
    from: 129,
    plant: every(MemoryBudgetStore, 'reserve', 1, (reserve, [id, amount, limits, purses = []]) =>
      reserve(
        id,
        amount,
        limits,
        purses.map(({ name }) => ({ name })),
      ),
    ),
  },
  'a store that holds before it refuses': {
    breaks: UNHELD,
    from: 91,
    plant: every(MemoryBudgetStore, 'reserve', 1, (reserve, [id, amount, limits, purses]) => {
      const result = reserve(id, amount, limits, purses);
      if (!result.isGranted) reserve(`${id} refused`, amount, {} as BudgetLimits);
      return result;
    }),
  },
  'a clock that frees money as it jumps': {
    breaks: [BUDGET, BOOKED],
    from: 73,
    spoil: ({ world: { scheduler }, books }) => {
      if (books === undefined) return;
      const empty = books.snapshot();
      const jump = scheduler.jump.bind(scheduler);
      scheduler.jump = (ms) => {
        jump(ms);
        books.restore(empty);
      };
    },
  },
  'a limit that is counted at the end': {
    breaks: DECLARED,
    from: 73,
    plant: every(Gates, 'enter', 1, () => undefined),
  },
  'a place that is given back twice': {
    breaks: DECLARED,
    from: 107,
    plant: every(Gates, 'enter', 2, (enter, [request]) => {
      enter(request)?.();
      return undefined;
    }),
  },
  'a limit that begins anew with every turn': {
    breaks: DECLARED,
    from: 73,
    plant: every(LimitDetector, 'observe', 9, (observe, [step], detector) => {
      detector.reset();
      return observe(step);
    }),
  },
  'a stop that new conversations do not know of': {
    breaks: STOP,
    from: 82,
    plant: every(Conversations, 'stop', 1, (_, [reason], { main, others }) => {
      for (const one of others) one.stop(reason);
      return main.stop(reason);
    }),
  },
  'a raised budget that ends a stop by hand': {
    breaks: STOP,
    from: 107,
    plant: every(Conversations, 'resume', 1, (_, __, all) => {
      for (const one of all.alive) one.parts.circuit.apply({ type: 'reset' }, one.now());
    }),
  },
  'a circuit that lets steps through at times': {
    breaks: [OPEN, BUDGET, ALONE],
    from: 80,
    plant: every(CircuitController, 'refusal', 5, () => undefined),
  },
  'a second probe beside the first': {
    breaks: OPEN,
    from: 124,
    plant: every(CircuitController, 'refusal', 1, (refusal, permits, { state }) =>
      state.status === 'half-open' ? undefined : refusal(...(permits as unknown as [])),
    ),
  },
  'a step that a trip does not end': {
    breaks: ENDS,
    from: 32,
    plant: every(OpenStep, 'ending', 3, (_, [work], step) =>
      Promise.resolve(work).then((value) => {
        step.end({ value });
        return value;
      }),
    ),
  },
  'a signal of the caller that is lost': {
    breaks: ENDS,
    from: 75,
    plant: every(Conversation, 'run', 3, (run, [request, work, { signal: _, ...options } = {}]) =>
      run(request, work, options),
    ),
  },
  'a usage that is dropped as its stream breaks off': {
    breaks: BOOKED,
    from: 122,
    plant: every(SpendTracker, 'observe', 1, (observe, [step]) =>
      'error' in step.signal ? undefined : observe(step),
    ),
  },
  'a usage that comes after the trip and is dropped': {
    breaks: [BOOKED, ALONE],
    from: 49,
    plant: every(Conversation, 'observe', 1, (observe, [signal], { state }) =>
      signal.kind === 'usage' && state.status !== 'closed' ? undefined : observe(signal),
    ),
  },
  'a call of unknown size that counts as none': {
    breaks: BUDGET,
    from: 12,
    plant: every(Reservations, 'isAnyIn', 1, () => false),
  },
  'a deadline that never rings': {
    breaks: WAITS,
    from: 124,
    plant: every(WaitingCalls, 'serve', 1, () => {}),
  },
  'a trip that is told twice': {
    breaks: TOLD,
    from: 82,
    plant: every(BreakerEvents, 'emit', 1, (emit, args) => {
      emit(...(args as Parameters<typeof emit>));
      if (args[0] === 'trip') emit(...(args as Parameters<typeof emit>));
    }),
  },
  'a trip that is not told': {
    breaks: TOLD,
    from: 82,
    plant: every(BreakerEvents, 'emit', 1, (emit, args) => {
      if (args[0] !== 'trip') emit(...(args as Parameters<typeof emit>));
    }),
  },
  'two conversations that share their state': {
    breaks: [ALONE, HEALTHY],
    from: 55,
    plant: every(Conversations, 'get', 1, (get, [id]) => get(id === 'chat 1' ? 'chat 0' : id)),
  },
  'detectors that see nothing': {
    breaks: 'a loop is stopped',
    from: 24,
    plant: both(
      every(Detection, 'foresee', 1, () => undefined),
      every(Detection, 'findings', 1, (findings, [analyzed]) =>
        findings(analyzed).filter(({ kind }) => kind === 'limit'),
      ),
    ),
  },
  'a throttle that lets one more begin at times': {
    breaks: [CONCURRENT, RATE],
    from: 33,
    plant: every(Limiter, 'isFull', 5, () => false),
  },
  'a place among all calls that is given back twice': {
    breaks: CONCURRENT,
    from: 71,
    plant: every(Limiter, 'end', 3, (end) => {
      end();
      end();
    }),
  },
  'a place that a call gives back when its caller has gone': {
    breaks: CONCURRENT,
    from: 20,
    plant: every(CallSlots, 'add', 2, (add, [request, leave]) => {
      leave();
      return add(request, () => {});
    }),
  },
  'a minute that is too short': {
    breaks: RATE,
    from: 37,
    plant: every(Limiter, 'begin', 2, (begin, [at]) => begin(at - 30_000)),
  },
  'a call that is forgotten while it waits for its turn': {
    breaks: WAITS,
    from: 49,
    plant: every(Throttle, 'enter', 9, () => new Promise(() => {})),
  },
  'a tenant that begins again after its stop': {
    breaks: STOP,
    from: 116,
    plant: every(TenantStops, 'of', 1, () => undefined),
  },
  'a snapshot without counts': {
    breaks: 'a snapshot can be restored',
    from: 41,
    plant: every(Tally, 'snapshot', 1, () => NO_COUNTS),
  },
};
