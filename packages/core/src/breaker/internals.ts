import type { Amount } from '../budget/amount.ts';
import type { AllBooks } from '../budget/budget-findings.ts';
import type { AnswerTokens } from '../budget/estimates.ts';
import type { Pricing } from '../budget/pricing.ts';
import type { WrapUpOptions } from '../circuit/wrap-up.ts';
import type { Timers } from '../common/deadline.ts';
import type { JsonValue } from '../common/json.ts';
import type { MaybePromise } from '../common/maybe-promise.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';
import type { TenantJudges } from '../judge/judges.ts';
import type { Conversation } from './conversation.ts';
import type { TenantConversations } from './tenant-conversations.ts';

/** What guards, recorders and histories need of a breaker, and its users do not. */
export interface BreakerInternals {
  /** The timers by which guards end what takes too long. */
  readonly timers: Timers | undefined;
  /** For guards, which make the last answer of a stopped team. */
  readonly wrapUp: WrapUpOptions | undefined;
  /** For guards that lend a judge. */
  readonly judges: TenantJudges;
  /** For guards, which give each team a conversation of its own. */
  readonly conversations: TenantConversations;
  /** The breaker of all tenants that it is a part of: the same object in all of its parts. */
  readonly whole: object;
  /** What the ids of its conversations begin with: empty unless it is the breaker of a tenant, which is made anew for each request. */
  readonly prefix: string;
  /** For guards, which estimate what model calls cost. */
  readonly pricing: Pricing;
  /** How long the answers of models are. */
  readonly answers: AnswerTokens;
  /** How often an answer may repeat itself while it streams; `undefined` if it is not cut off. */
  readonly streamLimit: number | undefined;
  /** What may be quoted of what was said. */
  readonly disclosure: Disclosure;
  /** What a conversation may spend: the books of the whole budget, then those of its own purse and of who pays for it. */
  booksOf(conversation: Conversation): MaybePromise<AllBooks>;
  /** Whether the team was told that it goes in circles, in this run and since a person last spoke. */
  isToldOfLoop(conversation: Conversation): boolean;
  /** Whether money or tokens are limited. */
  isLimited(): boolean;
  /** What is reserved for model calls that are under way. */
  reserved(): Amount;
  /** Restores the state of one conversation. What stops it here, or in the whole fleet, counts. @throws {@link InvalidSnapshotError} */
  restore(conversation: Conversation, snapshot: JsonValue): void;
  /** Emits an error that must not end the run. */
  reportError(error: unknown, during: 'history' | 'recording' | 'prices' | 'store'): void;
}

/** The internals of a breaker, of this copy of core or another: the types of `Breaker` do not show them. */
export function internalsOf(breaker: object): BreakerInternals {
  return (breaker as { readonly internals: BreakerInternals }).internals;
}
