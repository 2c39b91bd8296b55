import { given } from '../common/options.ts';
import { OWNERS } from '../signal/owners.ts';
import { safeName } from '../signal/parse-signal.ts';
import { type Amount, toNanoUsd } from './amount.ts';
import type { CheckedBudget, OwnerPurses, PurseOptions, RaisedLimits } from './budget-options.ts';
import { dateOf, PERIODS, type Period, periodIn, periodPurse } from './periods.ts';
import type { BudgetLimits, Purse } from './store/budget-store.ts';

/** Who spends. */
export interface Spender {
  /** Identifies the conversation, also among other breakers with the same store. */
  readonly conversation: string;
  /** Tells runs of the conversation apart; 0 before the first. */
  readonly run: number;
  readonly agent: string;
  /** Missing for money that was not spent on a model call. */
  readonly model?: string | undefined;
  /** For whom, for which team, and with which API key, where it is known. */
  readonly user?: string | undefined;
  readonly team?: string | undefined;
  readonly key?: string | undefined;
}

type Owner = (typeof OWNERS)[number]['owner'];

/** The name of the whole budget, as a purse. */
export const WHOLE = '';
/** A pseudo-purse with room for one call of unknown size at a time. */
export const UNSIZED = 'size:unknown';

export function conversationPurse({
  conversation,
  run,
}: Pick<Spender, 'conversation' | 'run'>): string {
  return `conversation:${conversation}:${run}`;
}

export function ownersPurse(owner: Owner, name: string): string {
  return `${owner}:${name}`;
}

/** The limits of a budget and of all purses in it. */
export class Purses {
  readonly #reserve: Required<BudgetLimits>;
  #limits: RaisedLimits = {};
  /** Whether any purse has a limit. */
  isLimited = false;
  /** Whether any purse limits dollars. */
  limitsMoney = false;
  whole: Purse = { name: WHOLE };
  /** The limits of the whole budget without the reserve for calls that wrap up. */
  withoutReserve: BudgetLimits = {};
  /** Whether any purse is one of a day or a month. */
  hasPeriods = false;
  #perPeriod: readonly PeriodLimits[] = [];
  #perConversation: BudgetLimits = {};
  #owners: ReadonlyMap<Owner, OwnersLimits> = new Map();

  constructor({ reserveUsd, reserveTokens, ...options }: CheckedBudget) {
    this.#reserve = { nanoUsd: toNanoUsd(reserveUsd), tokens: reserveTokens };
    const names: readonly (keyof RaisedLimits)[] = [
      ...(['maxUsd', 'maxTokens', 'perDay', 'perMonth', 'perConversation'] as const),
      ...OWNERS.flatMap(({ each, single }) => [each, single]),
    ];
    const limits = Object.fromEntries(names.map((name) => [name, options[name]]));
    if (names.some((name) => limits[name] !== undefined)) this.raise(limits);
  }

  /** Changes the given limits. */
  raise(raised: RaisedLimits): void {
    const limits: Raised = { ...this.#limits, ...mergedPurses(this.#limits, raised) };
    limits.perConversation = { ...this.#limits.perConversation, ...given(raised.perConversation) };
    for (const { each, single } of OWNERS) {
      limits[each] = mergedPurses(this.#limits[each], raised[each]);
      limits[single] = merged(this.#limits[single], raised[single]);
    }
    this.#limits = limits;
    this.whole = { name: WHOLE, ...limitsOf(limits) };
    const { nanoUsd, tokens } = this.whole;
    this.withoutReserve = {
      ...(nanoUsd !== undefined && { nanoUsd: Math.max(0, nanoUsd - this.#reserve.nanoUsd) }),
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - this.#reserve.tokens) }),
    };
    this.#perConversation = limitsOf(limits.perConversation);
    this.#owners = new Map(
      OWNERS.map(({ owner, each, single }) => [
        owner,
        ownersLimits(limits[each], limits[single], owner === 'model' ? undefined : safeName),
      ]),
    );
    this.#perPeriod = periodsOf(limits);
    const owned = [...this.#owners.values()].flatMap(({ each, single }) => [
      each,
      ...single.values(),
    ]);
    const inPeriods = [{ inPeriods: this.#perPeriod }, ...owned].flatMap((one) => one.inPeriods);
    this.hasPeriods = inPeriods.length > 0;
    const forEver = owned.map((one) => one.forEver);
    const all = [this.whole, this.#perConversation, ...forEver, ...inPeriods];
    this.isLimited = all.some(isLimit);
    this.limitsMoney = all.some(({ nanoUsd }) => nanoUsd !== undefined);
  }

  /** Which options limit the whole budget for a period. Processes of one store need the same: without one, they book nothing in its purses. */
  get periodOptions(): Readonly<Record<string, string>> {
    const isSet = (period: Period): boolean => this.#perPeriod.some((one) => one.period === period);
    return Object.fromEntries(
      PERIODS.map(({ period, option }) => [option, isSet(period) ? 'set' : 'none']),
    );
  }

  /** The limited purses of a spender on a day, without the whole budget. Those that time does not refill come first. */
  of(spender: Spender, day: string): readonly Purse[] {
    const purses: Purse[] = [];
    const passing: Purse[] = [];
    const add = (limits: readonly PeriodLimits[], owner: string): void => {
      for (const { period, nanoUsd, tokens } of limits) {
        const name = periodPurse(period, dateOf(period, day), owner);
        passing.push({ ...limited(nanoUsd, tokens), name });
      }
    };
    if (this.#perPeriod.length > 0) add(this.#perPeriod, WHOLE);
    for (const { owner } of OWNERS) {
      const name = spender[owner];
      if (name === undefined || name === '') continue;
      const { each = UNLIMITED, single } = this.#owners.get(owner) ?? {};
      const { forEver, inPeriods } = single?.get(name) ?? each;
      const purse = ownersPurse(owner, name);
      if (isLimit(forEver)) purses.push({ ...forEver, name: purse });
      if (inPeriods.length > 0) add(inPeriods, purse);
    }
    if (isLimit(this.#perConversation)) {
      purses.push({ ...this.#perConversation, name: conversationPurse(spender) });
    }
    return passing.length === 0 ? purses : [...purses, ...passing];
  }

  /** Whether limits were declared for the owner of this purse by name, and for this day or its month, if it is that of a day. */
  isDeclared(purse: string, day: string): boolean {
    const { period, date, owner: name } = periodIn(purse);
    if (period !== undefined && date !== dateOf(period, day)) return false;
    if (name === WHOLE) return true;
    const colon = name.indexOf(':');
    const owner = this.#owners.get(name.slice(0, colon) as Owner);
    return owner?.single.has(name.slice(colon + 1)) === true;
  }

  /** The unit in which a call must state its size: money if only money is limited, tokens if tokens are, or none. */
  measureOf(smaller: readonly Purse[]): keyof Amount | undefined {
    const purses = [this.whole, ...smaller];
    if (purses.some(({ tokens }) => tokens !== undefined)) return 'tokens';
    return purses.some(({ nanoUsd }) => nanoUsd !== undefined) ? 'nanoUsd' : undefined;
  }
}

type ByName = Readonly<Record<string, OwnerPurses>>;
type Raised = { -readonly [K in keyof RaisedLimits]: RaisedLimits[K] };

/** The limits of each owner, and of single ones by name. */
interface OwnersLimits {
  readonly each: AllLimits;
  readonly single: ReadonlyMap<string, AllLimits>;
}

interface PeriodLimits extends BudgetLimits {
  readonly period: Period;
}

interface AllLimits {
  readonly forEver: BudgetLimits;
  readonly inPeriods: readonly PeriodLimits[];
}

const UNLIMITED: AllLimits = { forEver: {}, inPeriods: [] };

function limitsOf({ maxUsd, maxTokens }: PurseOptions = {}): BudgetLimits {
  return limited(maxUsd === undefined ? undefined : toNanoUsd(maxUsd), maxTokens);
}

function limited(nanoUsd: number | undefined, tokens: number | undefined): BudgetLimits {
  return { ...(nanoUsd !== undefined && { nanoUsd }), ...(tokens !== undefined && { tokens }) };
}

function periodsOf(purses: OwnerPurses): readonly PeriodLimits[] {
  return PERIODS.flatMap(({ period, option }) => {
    const limits = limitsOf(purses[option]);
    return isLimit(limits) ? { ...limits, period } : [];
  });
}

function allLimits(purses: OwnerPurses): AllLimits {
  return { forEver: limitsOf(purses), inPeriods: periodsOf(purses) };
}

/** `told` is the name by which signals and conversations call an owner. */
function ownersLimits(
  each: OwnerPurses = {},
  single: ByName = {},
  told = (name: string): string => name,
): OwnersLimits {
  const byName = Object.entries(single).map(
    ([name, own]) => [told(name), allLimits(mergedPurses(each, own))] as const,
  );
  return { each: allLimits(each), single: new Map(byName) };
}

function isLimit({ nanoUsd, tokens }: BudgetLimits): boolean {
  return nanoUsd !== undefined || tokens !== undefined;
}

function merged(before: ByName = {}, raised: ByName = {}): ByName {
  const old = new Map(Object.entries(before));
  for (const [name, purse] of Object.entries(raised)) {
    old.set(name, mergedPurses(old.get(name), purse));
  }
  return Object.fromEntries(old);
}

function mergedPurses(before: OwnerPurses = {}, raised: OwnerPurses = {}): OwnerPurses {
  const { maxUsd, maxTokens } = { ...before, ...given(raised) };
  const merged = PERIODS.map(({ option }) => {
    return [option, { ...before[option], ...given(raised[option]) }] as const;
  });
  return { ...given({ maxUsd, maxTokens }), ...Object.fromEntries(merged) };
}
