import type { OptionTable } from '../common/option-table.ts';

/** The last answer after a stop. */
export interface WrapUpOptions {
  /** Most tokens of the answer. */
  readonly maxTokens: number;
}

export const WRAP_UP_OPTIONS: OptionTable<WrapUpOptions> = {
  maxTokens: { type: 'integer', min: 1, isRequired: true },
};
