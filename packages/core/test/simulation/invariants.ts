import {
  type Invariant,
  type Kind,
  MAY_EXPIRE_MS,
  type Op,
  type Party,
  type World,
} from './world.ts';

const NONE = Number.POSITIVE_INFINITY;

/** Has to hold after every step. */
export const EACH_STEP: readonly Invariant[] = [
  { name: 'after a stop nothing begins', broken: ({ begun }) => first(begun, afterStop) },
  { name: 'an open circuit lets one probe through', broken: ({ begun }) => first(begun, passing) },
  { name: 'no more is admitted than declared', broken: ({ begun }) => first(begun, beyond) },
  {
    name: 'a budget holds for all calls together',
    broken: ({ begun, books }) =>
      first(begun, (op) => (op.kind === 'model' ? books.excess(op) : undefined)),
  },
  {
    name: 'no more model calls are under way than the throttle lets',
    broken: ({ begun, models, scheduler, throttledSince, throttle: { maxConcurrent = NONE } }) =>
      first(begun, ({ kind, at }) => {
        const expired = scheduler.passed() - MAY_EXPIRE_MS;
        const held = [...models].filter(({ begunAt }) => begunAt > expired).length;
        const isOver = kind === 'model' && at >= throttledSince && held > maxConcurrent;
        return isOver ? `${held} are under way, ${maxConcurrent} may be` : undefined;
      }),
  },
  {
    name: 'no more model calls begin in a minute than the throttle lets',
    broken: ({ begun, modelsBegun, throttledSince, throttle: { maxRpm = NONE } }) =>
      first(begun, ({ kind, at }) => {
        const isOver = kind === 'model' && at >= throttledSince && modelsBegun.length > maxRpm;
        return isOver ? `${modelsBegun.length} within a minute, ${maxRpm} may` : undefined;
      }),
  },
  {
    name: 'what is over ends at once',
    broken: ({ due }) => {
      const late = due.find(([{ phase }]) => phase !== 'over');
      return late && `${late[0]} goes on, although ${late[1]}`;
    },
  },
  { name: 'what was served is booked, once', broken: unbooked },
  {
    name: 'each opening is told once',
    broken: ({ openings, trips, breaker }) => {
      const counted = breaker?.counters.trips ?? trips;
      if (trips === counted && trips <= openings) return undefined;
      return `${trips} trips told and ${counted} counted of ${openings} openings`;
    },
  },
];

/** Has to hold once everything has come to its end. */
export const AT_THE_END: Readonly<Record<'over' | 'unheld' | 'booked', string>> = {
  over: 'nothing waits for ever',
  unheld: 'nothing stays reserved',
  booked: 'what was served is booked, once',
};

const DECLARED: Readonly<Record<Kind, 'maxTurns' | 'maxModelCalls' | 'maxToolCalls'>> = {
  turn: 'maxTurns',
  model: 'maxModelCalls',
  tool: 'maxToolCalls',
};

function first(ops: readonly Op[], broken: (op: Op) => string | undefined): string | undefined {
  for (const op of ops) {
    const what = broken(op);
    if (what !== undefined) return `${op} begins: ${what}`;
  }
  return undefined;
}

function afterStop({ stop }: Op): string | undefined {
  return stop;
}

/** Of a circuit that is half open only the probe gets through, with all that belongs to it. */
function passing(op: Op): string | undefined {
  if (op.status === 'closed') return undefined;
  if (op.status !== 'half-open' || !op.isProbe) return `the circuit is ${op.status}`;
  const others = probesOf(op.party).filter((one) => one !== op);
  return op.within === undefined && others.length > 0 ? 'a probe is under way' : undefined;
}

function probesOf({ ops }: Party): Op[] {
  return [...ops].filter(
    ({ isProbe, within, phase }) => isProbe && within === undefined && phase === 'working',
  );
}

function beyond({ kind, party }: Op): string | undefined {
  const limit = party.declared[DECLARED[kind]];
  const count = party.begun[kind];
  return limit !== undefined && count > limit ? `number ${count} of ${limit}` : undefined;
}

/** The engine has booked all it was told of, and no more than what it was not told of may have taken. */
function unbooked({ books: { told, untold }, breaker }: World): string | undefined {
  if (breaker === undefined) return undefined;
  const booked = breaker.cost.tokens;
  if (booked < told) return `${booked} tokens booked of ${told} served`;
  return booked > told + untold ? `${booked} tokens booked, ${told + untold} served` : undefined;
}
