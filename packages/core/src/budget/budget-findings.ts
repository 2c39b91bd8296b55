import { named, quotation } from '../common/excerpt.ts';
import { counted } from '../common/words.ts';
import type { Finding } from '../detection/finding.ts';
import { type Amount, add, formatUsd, isNothing, NOTHING, plus, usdFormat } from './amount.ts';
import { periodIn } from './periods.ts';
import type { BudgetLimits, BudgetTotals, Purse, PurseTotals } from './store/budget-store.ts';

/** The subject of a budget's findings. */
type BudgetUnit = 'nano-dollars' | 'tokens';

/** A purse with its books. */
export interface Books {
  readonly purse: Purse;
  readonly totals: PurseTotals;
}

/** The books of the whole budget, then those of the smaller purses. */
export type AllBooks = readonly [Books, ...Books[]];

/** Books with what they hold for one call: the whole budget may keep back a reserve. */
export interface Bound extends Books {
  readonly limits: BudgetLimits;
}

export type BoundBooks = readonly [Bound, ...Bound[]];

export function booksOf(totals: BudgetTotals, whole: Purse, smaller: readonly Purse[]): AllBooks {
  const { purses = [] } = totals;
  const books = smaller.map((purse, i) => ({ purse, totals: purses[i] as PurseTotals }));
  return [{ purse: whole, totals }, ...books];
}

/** The books of the purse that limits dollars; those of the whole budget first. */
export function inDollars(books: AllBooks): Books {
  return books.find(({ purse }) => purse.nanoUsd !== undefined) ?? books[0];
}

/** Whether the spend and `amount` together exceed the limits. */
export function exceeds({ totals }: Books, amount: Amount, limits: BudgetLimits): boolean {
  const { nanoUsd, tokens } = add(totals.spent, amount);
  return (
    nanoUsd > (limits.nanoUsd ?? Number.POSITIVE_INFINITY) ||
    tokens > (limits.tokens ?? Number.POSITIVE_INFINITY)
  );
}

/** The most that a call is reserved at, and what it takes with a usual answer. */
export interface Sizes {
  readonly amount: Amount;
  readonly usual: Amount;
}

/**
 * Limits under which a call with a long answer fits that is alone in the purses which are too small for it, while a usual answer fits all of them;
 * `undefined` if it is not alone.
 */
export function limitsAlone(
  { amount, usual }: Sizes,
  books: readonly Bound[],
): ReadonlyMap<string, BudgetLimits> | undefined {
  const small = books.filter((one) => exceeds(one, amount, one.limits));
  const isAlone = ({ totals }: Bound): boolean => isNothing(totals.reserved);
  const fits = (one: Bound): boolean => !exceeds(one, usual, one.limits);
  if (small.length === 0 || !small.every(isAlone) || !books.every(fits)) return undefined;
  return new Map(
    small.map(({ purse, totals, limits }) => {
      return [purse.name, { ...limits, nanoUsd: plus(totals.spent.nanoUsd, amount.nanoUsd) }];
    }),
  );
}

/** A call that does not fit. */
interface UnfitCall {
  readonly amount: Amount;
  /** The limits for this call: the purse may keep back a reserve. */
  readonly limits: BudgetLimits;
  /** How many other calls hold reservations, if known. */
  readonly others: number | undefined;
}

/** The finding that a purse is used up, or that a call would exceed it. */
export function exceeded(agent: string, { purse, totals }: Books, call?: UnfitCall): Finding {
  const { limits, amount } = call ?? { limits: purse, amount: NOTHING };
  const { spent } = totals;
  const reserved = call === undefined ? NOTHING : totals.reserved;
  const claimed = add(spent, add(reserved, amount));
  const isMoney = limits.nanoUsd !== undefined && claimed.nanoUsd > limits.nanoUsd;
  const unit: BudgetUnit = isMoney ? 'nano-dollars' : 'tokens';
  const key = isMoney ? 'nanoUsd' : 'tokens';
  const [used, others, needed, limit] = [spent[key], reserved[key], amount[key], limits[key] ?? 0];
  const kept = Math.max(0, (purse[key] ?? 0) - limit);
  const show = shower(unit, limit + kept, used, others, kept, needed);
  const most = show(limit + kept);
  const owner = ownerOf(purse);
  // 1 is the minimum of a call of unknown size.
  const asked = needed > 1 ? [`${show(needed)} needed`] : [];
  const held = others > 0 ? [`${show(others)} reserved for ${callsOf(call?.others)}`] : [];
  const back = kept > 0 ? [`${show(kept)} kept back`] : [];
  const parts = [`${show(used)} spent`, ...held, ...back, ...asked].join(', ');
  const reason =
    others > 0 || needed > 1
      ? `the next call would exceed the budget${owner} (${most}): ${parts}`
      : `the budget${owner === '' ? ` of ${most}` : `${owner} (${most})`} is used up: ${parts}`;
  return finding('trip', agent, reason, claimed[key], limit, unit, purse);
}

/** The finding that two calls of unknown size would run in parallel. */
export function unsized(agent: string, { purse, totals }: Books): Finding {
  const unit: BudgetUnit = purse.tokens === undefined ? 'nano-dollars' : 'tokens';
  const key = unit === 'tokens' ? 'tokens' : 'nanoUsd';
  const reason =
    "the next call and another one under way are both of unknown size, so together they could exceed the budget: set prices, models, or the size of each call (estimatedCostUsd, inputTokens, maxOutputTokens), or set budget.whenFull to 'wait'";
  return finding('trip', agent, reason, totals.spent[key], purse[key] ?? 0, unit, purse);
}

/** The finding that a conversation has too many reservations. */
export function tooMany(agent: string, calls: number): Finding {
  const reason = `this conversation has ${counted(calls, 'model call')} under way, the most that can be tracked: report the usage of finished calls, or use several conversations`;
  const evidence = { agents: [agent], indices: [], count: calls, limit: calls };
  return { level: 'trip', kind: 'budget', basis: 'declared', reason, evidence };
}

/** The name of a model that adapters give where they do not see it. */
const UNKNOWN = 'unknown';

/** The finding that money is spent at an unknown price. */
export function unpriced(
  { agent, model = UNKNOWN }: { readonly agent: string; readonly model?: string | undefined },
  { purse, totals }: Books,
): Finding {
  const limit = purse.nanoUsd ?? 0;
  const limited = `so a budget of ${formatUsd(limit)} cannot be enforced`;
  const reason =
    model === UNKNOWN
      ? `the model of ${named(agent)} is unknown, ${limited}: name it (models), guard the team so that its model calls are seen (guardTeam), or limit tokens (budget.maxTokens)`
      : `the price of model ${quotation(model)} is unknown, ${limited}: set its price (prices), name a model with a known price (models), or limit tokens (budget.maxTokens)`;
  return finding('trip', agent, reason, totals.spent.nanoUsd, limit, 'nano-dollars', purse);
}

/** The warning that the share `warnAt` of a purse is spent, if it is. */
export function nearlySpent(
  agent: string,
  { purse, totals }: Books,
  warnAt: number,
): Finding | undefined {
  for (const [key, unit] of UNITS) {
    const limit = purse[key];
    const used = totals.spent[key];
    if (limit === undefined || limit === 0 || used < warnAt * limit) continue;
    const show = shower(unit, limit, used);
    const percent = Math.floor((100 * used) / limit);
    const reason = `${percent}% of the budget${ownerOf(purse)} is spent: ${show(used)} of ${show(limit)}`;
    return finding('warn', agent, reason, used, limit, unit, purse);
  }
  return undefined;
}

const UNITS = [
  ['nanoUsd', 'nano-dollars'],
  ['tokens', 'tokens'],
] as const;

function callsOf(others: number | undefined): string {
  return others === undefined ? 'other calls' : counted(others, 'other call');
}

function shower(unit: BudgetUnit, limit: number, ...parts: number[]): (amount: number) => string {
  return unit === 'nano-dollars'
    ? usdFormat(limit, ...parts)
    : (tokens) => counted(tokens, 'token');
}

const CONVERSATION = 'conversation:';

/** ` of agent 'critic'`, or ` of user 'ann' for 2026-11-26`; nothing for the whole budget. */
function ownerOf({ name }: Purse): string {
  if (name.startsWith(CONVERSATION)) return ' of this conversation';
  const { date, owner } = periodIn(name);
  const colon = owner.indexOf(':');
  const whose =
    owner === '' ? '' : ` of ${owner.slice(0, colon)} ${quotation(owner.slice(colon + 1))}`;
  return date === undefined ? whose : `${whose} for ${date}`;
}

function finding(
  level: Finding['level'],
  agent: string,
  reason: string,
  count: number,
  limit: number,
  subject: BudgetUnit,
  { name }: Purse,
): Finding {
  const purse = name.startsWith(CONVERSATION) ? 'conversation' : name;
  const agents = agent === '' ? [] : [agent];
  const evidence = { agents, indices: [], count, limit, subject, ...(purse !== '' && { purse }) };
  return { level, kind: 'budget', basis: 'declared', reason, evidence };
}
