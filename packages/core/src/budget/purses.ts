import { type Amount, toNanoUsd } from './amount.ts';
import type { BudgetOptions, PurseOptions, RaisedLimits } from './budget-options.ts';
import type { BudgetLimits, Purse } from './store/budget-store.ts';

/** The run of a conversation, which has a purse of its own. */
export interface TeamRun {
  /** Identifies the conversation, also among other breakers with the same store. */
  readonly conversation: string;
  /** How many runs and resets there were before. */
  readonly run: number;
}

/** Who spends. */
export interface Spender extends TeamRun {
  readonly agent: string;
  /** Missing for money that was not spent on a model call. */
  readonly model?: string | undefined;
}

/** The name of the whole budget, as a purse. @internal */
export const WHOLE = '';
/** A pseudo-purse with room for one call of unknown size at a time. @internal */
export const UNSIZED = 'size:unknown';

export function agentPurse(agent: string): string {
  return `agent:${agent}`;
}

function modelPurse(model: string): string {
  return `model:${model}`;
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
  #perAgent: BudgetLimits = {};
  #perModel: BudgetLimits = {};
  #perConversation: BudgetLimits = {};
  #agents: ReadonlyMap<string, BudgetLimits> = new Map();
  #models: ReadonlyMap<string, BudgetLimits> = new Map();

  constructor(options: BudgetOptions) {
    const { maxUsd, maxTokens, perAgent, perModel, perConversation, agents, models } = options;
    const { reserveUsd = 0, reserveTokens = 0 } = options;
    this.#reserve = { nanoUsd: toNanoUsd(reserveUsd), tokens: reserveTokens };
    const limits = { maxUsd, maxTokens, perAgent, perModel, perConversation, agents, models };
    const isAny = Object.values(limits).some((limit) => limit !== undefined);
    if (isAny) this.raise(given(limits) as RaisedLimits);
  }

  /** Changes the given limits. */
  raise(limits: RaisedLimits): void {
    const before = this.#limits;
    const perAgent = { ...before.perAgent, ...given(limits.perAgent) };
    const perModel = { ...before.perModel, ...given(limits.perModel) };
    const perConversation = { ...before.perConversation, ...given(limits.perConversation) };
    const agents = merged(before.agents, limits.agents);
    const models = merged(before.models, limits.models);
    const purses = { perAgent, perModel, perConversation, agents, models };
    this.#limits = { ...before, ...given(limits), ...purses };
    this.whole = { name: WHOLE, ...limitsOf(this.#limits) };
    const { nanoUsd, tokens } = this.whole;
    this.withoutReserve = {
      ...(nanoUsd !== undefined && { nanoUsd: Math.max(0, nanoUsd - this.#reserve.nanoUsd) }),
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - this.#reserve.tokens) }),
    };
    this.#perAgent = limitsOf(perAgent);
    this.#perModel = limitsOf(perModel);
    this.#perConversation = limitsOf(perConversation);
    this.#agents = limitsByName(agents, perAgent);
    this.#models = limitsByName(models, perModel);
    const named = [...this.#agents.values(), ...this.#models.values()];
    const common = [this.whole, this.#perAgent, this.#perModel, this.#perConversation];
    const all = [...common, ...named];
    this.isLimited = all.some(isLimit);
    this.limitsMoney = all.some(({ nanoUsd }) => nanoUsd !== undefined);
  }

  /** The limited purses of a spender, without the whole budget. */
  of({ agent, model, conversation, run }: Spender): readonly Purse[] {
    const purses: Purse[] = [];
    const ofAgent = this.#agents.get(agent) ?? this.#perAgent;
    if (isLimit(ofAgent) && agent !== '') purses.push({ ...ofAgent, name: agentPurse(agent) });
    if (model !== undefined) {
      const ofModel = this.#models.get(model) ?? this.#perModel;
      if (isLimit(ofModel)) purses.push({ ...ofModel, name: modelPurse(model) });
    }
    if (isLimit(this.#perConversation)) {
      purses.push({ ...this.#perConversation, name: `conversation:${conversation}:${run}` });
    }
    return purses;
  }

  /** Whether limits were declared for the agent or the model of this purse by name. */
  isDeclared(purse: string): boolean {
    const name = purse.slice(purse.indexOf(':') + 1);
    return purse === agentPurse(name)
      ? this.#agents.has(name)
      : purse === modelPurse(name) && this.#models.has(name);
  }

  /** The unit in which a call must state its size: money if only money is limited, tokens if tokens are, or none. */
  measureOf(smaller: readonly Purse[]): keyof Amount | undefined {
    const purses = [this.whole, ...smaller];
    if (purses.some(({ tokens }) => tokens !== undefined)) return 'tokens';
    return purses.some(({ nanoUsd }) => nanoUsd !== undefined) ? 'nanoUsd' : undefined;
  }
}

type ByName = Readonly<Record<string, PurseOptions>>;

function limitsOf({ maxUsd, maxTokens }: PurseOptions): BudgetLimits {
  return {
    ...(maxUsd !== undefined && { nanoUsd: toNanoUsd(maxUsd) }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
}

function limitsByName(purses: ByName, common: PurseOptions): ReadonlyMap<string, BudgetLimits> {
  return new Map(
    Object.entries(purses).map(([name, own]) => [name, limitsOf({ ...common, ...own })]),
  );
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
