import type { Finding } from '../finding.ts';
import { toNanoUsd } from './amount.ts';
import type { BudgetOptions, PurseOptions, RaisedLimits } from './budget-options.ts';
import type { BudgetLimits, Purse } from './budget-store.ts';

/** Who spends: a call is paid out of the purse of each. */
export interface Spender {
  readonly agent: string;
  /** Missing for money that no model call has cost. */
  readonly model?: string | undefined;
  /** What tells the purse of the conversation apart. */
  readonly conversation: string;
}

/** A purse as people read it. */
export interface NamedPurse extends Purse {
  /** `agent 'critic'`; empty for the whole budget. */
  readonly label: string;
  /** What stands in the evidence of a finding; empty for the whole budget. */
  readonly subject: NonNullable<Finding['evidence']['purse']> | '';
}

const WHOLE: NamedPurse = { name: '', label: '', subject: '' };

/** The limits of a budget and of all purses in it. @internal */
export class Purses {
  readonly #reserve: Required<BudgetLimits>;
  #limits: RaisedLimits = {};
  /** Whether anything is limited at all. */
  isLimited = false;
  /** The whole budget. */
  whole: NamedPurse = WHOLE;
  /** The limits of the whole budget for a call that does not wrap up. */
  withoutReserve: BudgetLimits = {};

  constructor(options: BudgetOptions) {
    const { maxUsd, maxTokens, perAgent, perModel, perConversation, agents, models } = options;
    this.#reserve = {
      nanoUsd: toNanoUsd(options.reserveUsd ?? 0),
      tokens: options.reserveTokens ?? 0,
    };
    this.raise({
      ...(maxUsd !== undefined && { maxUsd }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(perAgent && { perAgent }),
      ...(perModel && { perModel }),
      ...(perConversation && { perConversation }),
      ...(agents && { agents }),
      ...(models && { models }),
    });
  }

  /** Sets other limits; what is missing stays as it is. */
  raise(limits: RaisedLimits): void {
    const before = this.#limits;
    this.#limits = {
      ...before,
      ...given(limits),
      perAgent: { ...before.perAgent, ...given(limits.perAgent) },
      perModel: { ...before.perModel, ...given(limits.perModel) },
      perConversation: { ...before.perConversation, ...given(limits.perConversation) },
      agents: merged(before.agents, limits.agents),
      models: merged(before.models, limits.models),
    };
    const { perAgent, perModel, perConversation, agents, models } = this.#limits;
    const named = [...Object.values(agents ?? {}), ...Object.values(models ?? {})];
    const all = [this.#limits, perAgent, perModel, perConversation, ...named];
    this.isLimited = all.some((purse) => purse !== undefined && isLimit(limitsOf(purse)));
    this.whole = { ...WHOLE, ...limitsOf(this.#limits) };
    const { nanoUsd, tokens } = this.whole;
    this.withoutReserve = {
      ...(nanoUsd !== undefined && { nanoUsd: Math.max(0, nanoUsd - this.#reserve.nanoUsd) }),
      ...(tokens !== undefined && { tokens: Math.max(0, tokens - this.#reserve.tokens) }),
    };
  }

  /** The smaller purses that a spender has, as far as they are limited. */
  of({ agent, model, conversation }: Spender): readonly NamedPurse[] {
    const { perAgent, perModel, perConversation, agents, models } = this.#limits;
    const purses: NamedPurse[] = [];
    const add = (limits: BudgetLimits, name: string, label: string, subject: string): void => {
      if (isLimit(limits)) purses.push({ ...limits, name, label, subject });
    };
    if (agent !== '') {
      add(
        limitsOf({ ...perAgent, ...own(agents, agent) }),
        `agent:${agent}`,
        `agent '${agent}'`,
        `agent:${agent}`,
      );
    }
    if (model !== undefined) {
      add(
        limitsOf({ ...perModel, ...own(models, model) }),
        `model:${model}`,
        `model '${model}'`,
        `model:${model}`,
      );
    }
    add(
      limitsOf({ ...perConversation }),
      `conversation:${conversation}`,
      'this conversation',
      'conversation',
    );
    return purses;
  }
}

function limitsOf({ maxUsd, maxTokens }: PurseOptions): BudgetLimits {
  return {
    ...(maxUsd !== undefined && { nanoUsd: toNanoUsd(maxUsd) }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
}

function isLimit({ nanoUsd, tokens }: BudgetLimits): boolean {
  return nanoUsd !== undefined || tokens !== undefined;
}

/** Names come from models and tools: those of `Object.prototype` are names like others. */
function own(
  purses: Readonly<Record<string, PurseOptions>> | undefined,
  name: string,
): PurseOptions | undefined {
  return purses !== undefined && Object.hasOwn(purses, name) ? purses[name] : undefined;
}

function merged(
  before: Readonly<Record<string, PurseOptions>> = {},
  raised: Readonly<Record<string, PurseOptions>> = {},
): Readonly<Record<string, PurseOptions>> {
  const names = new Set([...Object.keys(before), ...Object.keys(raised)]);
  return Object.fromEntries(
    [...names].map((name) => [name, { ...own(before, name), ...given(own(raised, name)) }]),
  );
}

/** Without what is `undefined`, which stands for a missing limit. */
function given<T extends object>(limits: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(limits ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
