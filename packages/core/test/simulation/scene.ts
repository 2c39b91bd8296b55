import type { SeededRandom } from '../../../testing/src/seeded-random.ts';
import {
  Breaker,
  type BreakerOptions,
  type Conversation,
  MemoryBudgetStore,
} from '../../src/index.ts';
import { Books, type Limits, WHOLE } from './books.ts';
import { EACH_STEP } from './invariants.ts';
import { makeJudge, ShakyStore } from './outside.ts';
import { Scheduler } from './scheduler.ts';
import {
  chanceOf,
  type Declared,
  MAY_EXPIRE_MS,
  type Party,
  RESERVATION_MS,
  World,
} from './world.ts';

/** What may go wrong in a scene; what is left out leaves the rest as it is. */
export const TROUBLES = [
  'snapshots',
  'stops',
  'resets',
  'aborts',
  'jumps',
  'raises',
  'judge',
  'store',
  'budget',
  'limits',
  'functions',
] as const;
/** Troubles that are drawn by their own names. */
const MORE_TROUBLES = ['tenants', 'throttle'] as const;
export type Trouble = (typeof TROUBLES)[number] | (typeof MORE_TROUBLES)[number];

/** What a seed makes of the world before anything happens. */
export interface Scene {
  readonly seed: number;
  readonly world: World;
  readonly breaker: Breaker;
  readonly troubles: ReadonlySet<Trouble>;
  readonly declared: Declared;
  readonly limits: Limits;
  readonly options: BreakerOptions;
  readonly parties: number;
  /** Whether the breaker knows the conversations by the names of the parties. */
  readonly isNamed: boolean;
  readonly looping: Set<string>;
  /** The store beneath the breaker, if it is not its own. */
  readonly books: MemoryBudgetStore | undefined;
  readonly store: ShakyStore | undefined;
  /** Whether conversations share nothing that runs out, so that each lives as if it were alone. */
  readonly isFree: boolean;
}

/** So many of them take their time, and are rare. */
const RARE = 1;
const WINDOW_MS = 20_000;
const WAITS = { maxWaiting: 12, maxWaitMs: 50_000 };
/** One scene in so many has more conversations than a breaker keeps. */
const CROWDED = 400;
const KEPT = 1_000;

/** Sets a scene by its seed, without these troubles. */
export function setScene(
  seed: number,
  without: ReadonlySet<string> = new Set(),
  yields?: number,
): Scene {
  const limits: Limits = new Map();
  const random = chanceOf(seed, 'scene');
  const drawn = TROUBLES.filter((_, i) => random.oneIn(i < RARE ? 5 : 2));
  const isNamed = yields === undefined;
  const more = isNamed ? MORE_TROUBLES.filter((one) => chanceOf(seed, one).oneIn(3)) : [];
  const troubles = new Set<Trouble>([...drawn, ...more].filter((one) => !without.has(one)));
  const parties = random.oneIn(CROWDED) ? KEPT + 100 : 2 + random.below(8);
  const declared: Declared = troubles.has('limits') ? declare(chanceOf(seed, 'limits')) : {};
  const looping: Set<string> = new Set();
  const money = budgetOf(chanceOf(seed, 'budget'), troubles, limits, parties > KEPT);
  const { windowMs } = money;
  const scheduler = new Scheduler(yields);
  const ledger = new Books(limits, scheduler.passed, MAY_EXPIRE_MS, windowMs);
  const world = new World(seed, scheduler, ledger, EACH_STEP);
  const isOwn = !chanceOf(seed, 'books').oneIn(4) || troubles.has('store');
  const books = isOwn
    ? new MemoryBudgetStore(undefined, {
        windowMs,
        reservationMs: RESERVATION_MS,
        now: scheduler.now,
      })
    : undefined;
  const store = books && troubles.has('store') ? new ShakyStore(books, world) : undefined;
  const judging = chanceOf(seed, 'judge');
  const confirm = makeJudge(world, looping);
  if (troubles.has('throttle')) world.throttle = throttleOf(world.chance('limits of the throttle'));
  const given = store ?? books;
  const options: BreakerOptions = {
    ...declared,
    now: scheduler.now,
    timers: scheduler.timers,
    cooldownMs: 2_000,
    budget: { ...money, reservationMs: RESERVATION_MS, ...(given && { store: given }) },
    ...(troubles.has('limits') && chanceOf(seed, 'time').oneIn(4) && { maxRunMs: 30_000 }),
    ...(troubles.has('throttle') && { throttle: { ...world.throttle, ...WAITS } }),
    ...(troubles.has('judge') && { judge: { confirm, blocking: judging.oneIn(3), askAt: 1 } }),
  };
  const breaker = new Breaker(options);
  world.breaker = breaker;
  // Of more conversations than a breaker keeps, one that rests between two steps is forgotten.
  const isFree =
    !troubles.has('budget') && !troubles.has('throttle') && store === undefined && parties <= KEPT;
  const scene = { seed, world, breaker, troubles, declared, limits, options };
  return { ...scene, parties, isNamed, looping, books, store, isFree };
}

/** The conversation of a party. */
export function conversationOf({ breaker }: Scene, { name, tenant }: Party): Conversation {
  return tenant === undefined
    ? breaker.conversation(name)
    : breaker.for({ user: tenant }).conversation(name);
}

/** How many model calls may begin in a minute and be under way. */
export function throttleOf(random: SeededRandom): World['throttle'] {
  const maxRpm = random.oneIn(2) ? 3 + random.below(40) : undefined;
  const maxConcurrent = maxRpm === undefined || random.oneIn(2) ? 1 + random.below(6) : undefined;
  return { ...(maxRpm && { maxRpm }), ...(maxConcurrent && { maxConcurrent }) };
}

function declare(random: SeededRandom): Declared {
  return {
    ...(random.oneIn(3) && { maxTurns: 2 + random.below(10) }),
    ...(random.oneIn(3) && { maxModelCalls: 2 + random.below(12) }),
    ...(random.oneIn(3) && { maxToolCalls: 2 + random.below(12) }),
  };
}

function budgetOf(
  random: SeededRandom,
  troubles: ReadonlySet<Trouble>,
  limits: Limits,
  isCrowded: boolean,
): NonNullable<BreakerOptions['budget']> {
  const maxTokens = 2_000 + random.below(20_000);
  const each = [random.oneIn(3), random.oneIn(3), random.oneIn(3)] as const;
  const purse = { maxTokens: 1_000 + random.below(4_000) };
  const isRolling = random.oneIn(3);
  const isWaiting = random.oneIn(3) && !isCrowded;
  if (!troubles.has('budget')) return {};
  limits.set(WHOLE, maxTokens);
  for (const [i, name] of (['agent', 'model', 'conversation'] as const).entries()) {
    if (each[i]) limits.set(name, purse.maxTokens);
  }
  return {
    maxTokens,
    ...(each[0] && { perAgent: purse }),
    ...(each[1] && { perModel: purse }),
    ...(each[2] && { perConversation: purse }),
    ...(isRolling && { windowMs: WINDOW_MS }),
    ...(isWaiting && { whenFull: 'wait' }),
  };
}
