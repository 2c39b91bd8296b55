import { uniqueNumber } from '../common/clock.ts';
import type { JsonValue } from '../common/json.ts';
import { andThen, type MaybePromise } from '../common/maybe-promise.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import type { Evidence, Finding } from '../detection/finding.ts';
import type { ModelRequestSignal } from '../signal/signal.ts';
import { Tenant, type TenantNames } from '../signal/tenant.ts';
import { count, recordAt, text } from '../state/codec.ts';
import { type Amount, add, isNothing, NOTHING, plus, toNanoUsd } from './amount.ts';
import { AMOUNT } from './amount-codec.ts';
import type { Budget } from './budget.ts';
import { type AllBooks, type Books, exceeds, unpriced } from './budget-findings.ts';
import { CallSizes } from './calls/call-sizes.ts';
import { callKeyOf, type RequestedCall, type Reservation, usageKey } from './calls/reservations.ts';
import { bookedFor, costOf } from './calls/usage-cost.ts';
import type { ContextWindow } from './context-window.ts';
import type { Cost } from './cost.ts';
import type { JudgeUsage } from './metering.ts';
import { periodIn } from './periods.ts';
import type { Pricing } from './pricing.ts';
import { conversationPurse, ownersPurse, type Spender } from './purses.ts';
import type { SharedSpend } from './shared-spend.ts';
import { SpendHistory } from './spend-history.ts';

/** Before the first reservation. */
const NONE = -1;

/** The agent to which a judge's cost is booked. */
export const JUDGE = 'judge';
const JUDGE_PURSE: string = ownersPurse('agent', JUDGE);
const LEAST: Amount = { nanoUsd: 1, tokens: 1 };

function isJudges(purse: string): boolean {
  return periodIn(purse).owner === JUDGE_PURSE;
}

/** Whether a finding is about what the judge alone may spend. */
export function isOfJudge({ evidence }: Finding): boolean {
  return isJudges(evidence.purse ?? '');
}

/** Books the spend of one conversation, and estimates its next prompt. */
export class SpendTracker {
  readonly history: SpendHistory = new SpendHistory();
  readonly budget: Budget;
  readonly #shared: SharedSpend;
  readonly #id: string;
  readonly #tenant: Tenant;
  readonly #window: ContextWindow | undefined;
  readonly #sizes: CallSizes;
  /** The breaker that began the conversation, if it moves: its purse goes with it. */
  #home: string | undefined;
  /** Each run and each reset begins a new purse. No count tells them apart: it would begin again once the conversation is forgotten. */
  #run = 0;
  /** For whom and with which key the latest call was made: a judge's question is charged to them, too. */
  #payer: Pick<Spender, keyof TenantNames>;
  /** What the judge of the conversation has cost. */
  #judged: Amount = NOTHING;
  /** How many reservations were made before the circuit opened. */
  #madeAtTrip = NONE;

  constructor(
    shared: SharedSpend,
    pricing: Pricing,
    id: string,
    window: ContextWindow | undefined,
  ) {
    this.budget = shared.budget;
    this.#shared = shared;
    this.#id = id;
    this.#tenant = Tenant.of(id);
    this.#payer = this.#tenant.names;
    this.#window = window;
    const { budget, answers } = shared;
    this.#sizes = new CallSizes({ budget, pricing, answers, isMeasured: window !== undefined });
  }

  /** Adds the text of a signal to the history, and settles a reported usage. */
  observe(analyzed: AnalyzedSignal): MaybePromise<Finding | undefined> {
    const { signal, index } = analyzed;
    const sizes = this.#sizes;
    sizes.observe(analyzed);
    if (signal.kind !== 'usage') return undefined;
    const { reservations, settled } = this.budget;
    const key = { conversation: this.#conversation, usageKey: usageKey(signal) };
    const reservation = reservations.closeFor(key);
    // The ids of another run may be the same.
    const call = `${this.#run}:${callKeyOf(key)}`;
    const isAgain = reservation === undefined && settled.has(call);
    const estimate = (): number => (isAgain ? 0 : sizes.historyTokens(signal.depth ?? 0));
    const discount = sizes.discountOf(signal.agent, signal.model, signal);
    const { cost: reported, isUnpriced } = costOf(signal, reservation, { discount, estimate });
    const cost = isAgain ? settled.raise(call, reported) : reported;
    const booked = bookedFor(cost);
    if (isAgain && isNothing(cost) && isNothing(booked)) return undefined;
    if (!isAgain && signal.requestId !== undefined) settled.add(call, cost);
    this.#record(index, cost);
    // The purses of the reservation are charged, whatever the provider calls the model.
    const spender = reservation ?? { ...this.#team, agent: signal.agent, model: signal.model };
    return this.budget.settle(reservation, spender, booked, isUnpriced ? signal : undefined);
  }

  /** A finding if the call exceeds the model's window. */
  checkWindow(signal: ModelRequestSignal): Finding | undefined {
    return this.#window?.request(signal, this.promptTokens(signal));
  }

  callOf(signal: ModelRequestSignal): RequestedCall {
    const { agent, model, user, team, key } = signal;
    this.#payer = { user, team, key };
    return {
      ...this.#team,
      agent,
      model,
      usageKey: usageKey(signal),
      ...this.#sizes.of(signal),
      isWrapUp: signal.isWrapUp === true,
    };
  }

  /** The length of a prompt, or of what was said so far. */
  promptTokens(signal: ModelRequestSignal): number {
    return this.#sizes.promptTokens(signal);
  }

  /** Remembers which reservations were made before the circuit opened. */
  tripped(): void {
    this.#madeAtTrip = this.budget.reservations.made;
  }

  /** Releases reservations from before the trip that were not settled since. */
  releaseTripped(): MaybePromise<undefined> {
    return this.budget.release(this.#reservations(this.#madeAtTrip));
  }

  /** Releases all reservations of this conversation. */
  releaseAll(): MaybePromise<undefined> {
    return this.budget.release(this.#reservations());
  }

  /** What the team has spent, without its judge: what a framework knows of. */
  get teamNanoUsd(): number {
    return this.history.total.nanoUsd - this.#judged.nanoUsd;
  }

  /** Books money that no signal reports. */
  track(nanoUsd: number, agent: string, index: number): MaybePromise<Finding | undefined> {
    const cost = { nanoUsd, tokens: 0, unpricedTokens: 0, isEstimate: false };
    this.#record(index, cost);
    return this.budget.settle(undefined, { ...this.#team, agent }, cost);
  }

  /**
   * Whether a question to the judge of about so many tokens leaves its cost below a share of the team's: in money where all prices
   * are known, and else in tokens.
   */
  affordsJudge(share: number, tokens: number): boolean {
    const { total } = this.history;
    const judge = this.#judged;
    const teamTokens = total.tokens - judge.tokens;
    if (teamTokens <= 0) return true;
    const team = this.teamNanoUsd;
    const isPriced = total.unpricedTokens === 0 && team > 0;
    if (!isPriced) return judge.tokens + tokens <= share * teamTokens;
    return judge.nanoUsd + (tokens * team) / teamTokens <= share * team;
  }

  /** Whether something is left for a question to the judge. Its own budget in dollars ends with the first unknown price. */
  mayJudge(): MaybePromise<boolean> {
    if (!this.budget.isLimited) return true;
    return andThen(this.budget.readBooks(this.#judge), (books) => {
      const isUsedUp = books.some((one) =>
        exceeds(one, add(one.totals.reserved, LEAST), one.purse),
      );
      const isUnpriced = this.#shared.judgeCost.unpricedTokens > 0;
      return !isUsedUp && !(isUnpriced && judgeInDollars(books) !== undefined);
    });
  }

  /** Books the cost of a judge's answer. An unknown price counts in tokens only. */
  bookJudge(usage: JudgeUsage, index: number): MaybePromise<Finding | undefined> {
    const tokens = plus(usage.inputTokens, usage.outputTokens);
    const nanoUsd = toNanoUsd(usage.costUsd ?? 0);
    const unpricedTokens = usage.costUsd === null ? tokens : 0;
    const cost = { nanoUsd, tokens, unpricedTokens, isEstimate: false };
    this.#record(index, cost, true);
    this.#judged = add(this.#judged, cost);
    const judge = this.#judge;
    return andThen(this.budget.settle(undefined, judge, cost), (finding) => {
      if (finding !== undefined || unpricedTokens === 0) return finding;
      return andThen(this.budget.readBooks(judge), (books) => {
        const own = judgeInDollars(books);
        return own && unpriced({ agent: JUDGE }, own);
      });
    });
  }

  /** What was spent and what may be: of the whole budget, and of the purses of this conversation and of its latest payer. */
  get books(): MaybePromise<AllBooks> {
    return this.budget.readBooks({ ...this.#team, agent: '' });
  }

  /** When the purse of a finding will have room again; `undefined` if waiting does not help. */
  roomAt(evidence: Evidence): number | undefined {
    const isOwn = evidence.purse === 'conversation';
    const own = isOwn ? { ...evidence, purse: conversationPurse(this.#team) } : evidence;
    return this.budget.ledger.roomAt(own);
  }

  /** Lets the purse of the conversation be the same wherever it moves. */
  leaveHome(): void {
    this.#home ??= this.#shared.id;
  }

  /** Begins a new purse of the conversation. */
  beginRun(): void {
    this.#run = uniqueNumber();
  }

  /** Forgets the history, and keeps the totals. */
  forget(): void {
    this.#sizes.forget();
    this.history.forget();
  }

  snapshot(): JsonValue {
    return {
      history: this.history.snapshot(),
      meter: this.#sizes.snapshot(),
      runs: this.#run,
      home: this.#home ?? null,
      judged: { ...this.#judged },
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    const { history, meter, runs, home, judged } = recordAt('spend', snapshot);
    const run = count.read('spend.runs', runs);
    // Missing in older snapshots.
    const from = home == null ? undefined : text.read('spend.home', home);
    const byJudge = AMOUNT.read('spend.judged', judged);
    this.history.restore(history as JsonValue);
    this.#judged = byJudge;
    this.#sizes.restore((meter ?? []) as JsonValue);
    this.#run = run;
    this.#home = from;
    this.#madeAtTrip = NONE;
  }

  get #team(): Omit<Spender, 'agent' | 'model'> {
    return { conversation: this.#conversation, run: this.#run, ...this.#payer };
  }

  get #judge(): Spender {
    return { ...this.#team, agent: JUDGE };
  }

  /** Identifies the conversation, also among other breakers. */
  get #conversation(): string {
    return `${this.#home ?? this.#shared.id}:${this.#id}`;
  }

  #reservations(first?: number): readonly Reservation[] {
    return this.budget.reservations.openOf(this.#conversation, first);
  }

  #record(index: number, cost: Cost, isOfJudge = false): void {
    this.history.record(index, cost);
    this.#shared.record(this.#tenant, cost, isOfJudge);
  }
}

/** The judge's own purse, if it limits dollars and nothing else. */
function judgeInDollars(books: readonly Books[]): Books | undefined {
  const own = books.find(({ purse }) => isJudges(purse.name));
  return own?.purse.nanoUsd !== undefined && own.purse.tokens === undefined ? own : undefined;
}
