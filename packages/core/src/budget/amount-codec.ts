import { amount, type Codec, record } from '../state/codec.ts';
import type { Amount } from './amount.ts';

export const AMOUNT_FIELDS: { readonly [K in keyof Amount]: Codec<number> } = {
  nanoUsd: amount,
  tokens: amount,
};

/** An amount in a snapshot. */
export const AMOUNT: Codec<Amount> = record<Amount>(AMOUNT_FIELDS);
