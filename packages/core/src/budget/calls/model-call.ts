import type { Finding } from '../../finding.ts';
import type { ModelRequestSignal, UsageSignal } from '../../signal/signal.ts';
import type { Amount } from '../amount.ts';
import type { Spender } from '../purses.ts';

/** A model call, as the budget knows it. */
export interface ModelCall extends Spender {
  readonly model: string;
  /** Identifies its usage in the conversation: the request id, or else the agent. */
  readonly key: string;
  /** The most it is expected to take. */
  readonly amount: Amount;
  /** Whether the money is an estimate, which counts if no cost is reported. */
  readonly isPriced: boolean;
  /** The same of the tokens. */
  readonly isCounted: boolean;
}

/** A model call that asks for a reservation. */
export interface RequestedCall extends ModelCall {
  /** Whether its price is known to be unknown. */
  readonly isUnpriced: boolean;
  /** Whether it may use the reserve for calls that wrap up. */
  readonly isWrapUp: boolean;
}

/** What the budget has reserved for a model call. */
export interface Reservation extends ModelCall {
  /** Its id in the store. */
  readonly id: string;
  /** When it was requested, in milliseconds. */
  readonly at: number;
  /** The day whose purses pay for it; empty if there are none. */
  readonly day: string;
  /** Its purses, {@link UNSIZED} included; none without limits. */
  readonly purses: readonly string[];
}

export interface Refusal {
  readonly reservation?: undefined;
  readonly finding: Finding;
  /** The purses in which it would fit after running calls of this breaker; empty if waiting is pointless. */
  readonly waitsFor: readonly string[];
}

/** The answer to a {@link RequestedCall}. */
export type BudgetAnswer =
  | { readonly reservation: Reservation; readonly finding?: undefined }
  | Refusal;

/** The key of the call that a request or a usage belongs to. */
export function keyOf({ requestId, agent }: ModelRequestSignal | UsageSignal): string {
  return requestId === undefined ? `agent:${agent}` : `request:${requestId}`;
}

/** Where the usage of a call is looked for. */
export type Place = Pick<ModelCall, 'conversation' | 'key'>;

export function placeOf({ conversation, key }: Place): string {
  return `${conversation.length}:${conversation}${key}`;
}
