import { type Amount, toNanoUsd } from './amount.ts';
import type { BudgetOptions, PurseOptions, RaisedLimits } from './budget-options.ts';
import type { BudgetLimits, Purse } from './store/budget-store.ts';

/** Who spends. */
export interface Spender {
  /** Identifies the conversation, also among other breakers with the same store. */
  readonly conversation: string;
  /** How many runs and resets there were before. */
  readonly run: number;
  readonly agent: string;
  /** Missing for money that was not spent on a model call. */
  readonly model?: string | undefined;
  /** For whom, for which team, and with which API key, where it is known. */
  readonly user?: string | undefined;
  readonly team?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** What purses are named after, with the limits of each and those of single ones. */
const OWNERS = [
  { owner: 'agent', field: 'agent', each: 'perAgent', single: 'agents' },
  { owner: 'model', field: 'model', each: 'perModel', single: 'models' },
  { owner: 'user', field: 'user', each: 'perUser', single: 'users' },
  { owner: 'team', field: 'team', each: 'perTeam', single: 'teams' },
  { owner: 'key', field: 'apiKey', each: 'perKey', single: 'keys' },
] as const;

type Owner = (typeof OWNERS)[number]['owner'];

/** The name of the whole budget, as a purse. @internal */
export const WHOLE = '';
/** A pseudo-purse with room for one call of unknown size at a time. @internal */
export const UNSIZED = 'size:unknown';

export function agentPurse(agent: string): string {
  return ownersPurse('agent', agent);
}

function ownersPurse(owner: Owner, name: string): string {
  return `${owner}:${name}`;
}

/** The limits of a budget and of all purses in it. @internal */
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
  #perConversation: BudgetLimits = {};
  #owners: ReadonlyMap<Owner, OwnersLimits> = new Map();

  constructor({ reserveUsd = 0, reserveTokens = 0, ...options }: BudgetOptions) {
    this.#reserve = { nanoUsd: toNanoUsd(reserveUsd), tokens: reserveTokens };
    const names: readonly (keyof RaisedLimits)[] = [
      ...(['maxUsd', 'maxTokens', 'perConversation'] as const),
      ...OWNERS.flatMap(({ each, single }) => [each, single]),
    ];
    const limits = Object.fromEntries(names.map((name) => [name, options[name]]));
    if (names.some((name) => limits[name] !== undefined)) this.raise(limits);
  }

  /** Changes the given limits. */
  raise(raised: RaisedLimits): void {
    const limits: Raised = { ...this.#limits, ...given(raised) };
    limits.perConversation = { ...this.#limits.perConversation, ...given(raised.perConversation) };
    for (const { each, single } of OWNERS) {
      limits[each] = { ...this.#limits[each], ...given(raised[each]) };
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
      OWNERS.map(({ owner, each, single }) => [owner, ownersLimits(limits[each], limits[single])]),
    );
    const owned = [...this.#owners.values()].flatMap(({ each, single }) => [
      each,
      ...single.values(),
    ]);
    const all = [this.whole, this.#perConversation, ...owned];
    this.isLimited = all.some(isLimit);
    this.limitsMoney = all.some(({ nanoUsd }) => nanoUsd !== undefined);
  }

  /** The limited purses of a spender, without the whole budget. */
  of(spender: Spender): readonly Purse[] {
    const purses: Purse[] = [];
    for (const { owner, field } of OWNERS) {
      const name = spender[field];
      if (name === undefined || name === '') continue;
      const { each = {}, single } = this.#owners.get(owner) ?? {};
      const limits = single?.get(name) ?? each;
      if (isLimit(limits)) purses.push({ ...limits, name: ownersPurse(owner, name) });
    }
    if (isLimit(this.#perConversation)) {
      const { conversation, run } = spender;
      purses.push({ ...this.#perConversation, name: `conversation:${conversation}:${run}` });
    }
    return purses;
  }

  /** Whether limits were declared for the owner of this purse by name. */
  isDeclared(purse: string): boolean {
    const colon = purse.indexOf(':');
    const owner = this.#owners.get(purse.slice(0, colon) as Owner);
    return owner?.single.has(purse.slice(colon + 1)) === true;
  }

  /** The unit in which a call must state its size: money if only money is limited, tokens if tokens are, or none. */
  measureOf(smaller: readonly Purse[]): keyof Amount | undefined {
    const purses = [this.whole, ...smaller];
    if (purses.some(({ tokens }) => tokens !== undefined)) return 'tokens';
    return purses.some(({ nanoUsd }) => nanoUsd !== undefined) ? 'nanoUsd' : undefined;
  }
}

type ByName = Readonly<Record<string, PurseOptions>>;
type Raised = { -readonly [K in keyof RaisedLimits]: RaisedLimits[K] };

/** The limits of each owner, and of single ones by name. */
interface OwnersLimits {
  readonly each: BudgetLimits;
  readonly single: ReadonlyMap<string, BudgetLimits>;
}

function limitsOf({ maxUsd, maxTokens }: PurseOptions = {}): BudgetLimits {
  return {
    ...(maxUsd !== undefined && { nanoUsd: toNanoUsd(maxUsd) }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
}

function ownersLimits(each: PurseOptions = {}, single: ByName = {}): OwnersLimits {
  const byName = Object.entries(single).map(
    ([name, own]) => [name, limitsOf({ ...each, ...own })] as const,
  );
  return { each: limitsOf(each), single: new Map(byName) };
}

function isLimit({ nanoUsd, tokens }: BudgetLimits): boolean {
  return nanoUsd !== undefined || tokens !== undefined;
}

function merged(before: ByName = {}, raised: ByName = {}): ByName {
  const old = new Map(Object.entries(before));
  for (const [name, purse] of Object.entries(raised)) {
    old.set(name, { ...old.get(name), ...given(purse) });
  }
  return Object.fromEntries(old);
}

/** Without `undefined` values. */
function given<T extends object>(limits: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(limits ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
