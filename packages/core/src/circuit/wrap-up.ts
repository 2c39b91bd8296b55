import { type OptionTable, readOptions } from '../common/option-table.ts';

/** The last answer after a stop. */
export interface WrapUpOptions {
  /** Most tokens of the answer. */
  readonly maxTokens: number;
}

export const WRAP_UP_OPTIONS: OptionTable<WrapUpOptions> = {
  maxTokens: { type: 'integer', min: 1, isRequired: true },
};

/** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
export function checkWrapUp(options: WrapUpOptions | undefined): WrapUpOptions | undefined {
  return options && readOptions('wrapUp', options, WRAP_UP_OPTIONS);
}
