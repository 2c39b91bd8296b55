import type { Amount } from '../budget/amount.ts';
import type { AllBooks } from '../budget/budget-findings.ts';
import type { Timers } from '../deadline.ts';
import type { JsonValue } from '../json.ts';
import type { TenantJudges } from '../judge/judges.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Pricing } from '../pricing.ts';
import type { Disclosure } from '../redact/disclosure.ts';
import type { Conversation } from './conversation.ts';
import type { TenantConversations } from './tenants/tenant-conversations.ts';

/** What guards, recorders and histories need of a breaker, and its users do not. */
export interface BreakerInternals {
  /** The timers by which guards end what takes too long. */
  readonly timers: Timers | undefined;
  /** For guards that lend a judge. */
  readonly judges: TenantJudges;
  /** For guards, which give each team a conversation of its own. */
  readonly conversations: TenantConversations;
  /** Whether it is made anew for each request, such as the breaker of a tenant. */
  readonly isOfTenant: boolean;
  /** For guards, which estimate what model calls cost. */
  readonly pricing: Pricing;
  /** What may be quoted of what was said. */
  readonly disclosure: Disclosure;
  /** What a conversation may spend: the books of the whole budget, then those of its own purse and of who pays for it. */
  booksOf(conversation: Conversation): MaybePromise<AllBooks>;
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
