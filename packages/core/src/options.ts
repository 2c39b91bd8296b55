export { BREAKER_OPTIONS } from './breaker/breaker-options.ts';
export { priceBookOf } from './budget/pricing.ts';
export { show } from './common/errors.ts';
export {
  type AnyTable,
  type ChoiceOption,
  type NestedOption,
  type OptionSpec,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from './common/option-table.ts';
export {
  checkNames,
  expectedName,
  expectedOption,
  functionOf,
  integer,
  OPTIONS_PAGE,
  type OptionNames,
  orInvalid,
  textOf,
} from './common/options.ts';
export { inWords } from './common/words.ts';
export { checkJudge } from './judge/judges.ts';
