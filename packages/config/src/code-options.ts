import {
  type AnyTable,
  BREAKER_OPTIONS,
  type OptionNames,
  type OptionSpec,
} from '@teamfuse/core/options';
import type { CodeOptions } from './policy.ts';

/** The names of options that only code can set, at any depth. */
export const CODE_NAMES: readonly string[] = codeNamesIn(BREAKER_OPTIONS);

/** The options that code can set in addition to a file. */
export const CODE_OPTIONS = Object.fromEntries(
  Object.entries(BREAKER_OPTIONS)
    .filter(([name, spec]) => isAlsoCode(spec) || codeNamesIn({ [name]: spec }).length > 0)
    .map(([name]) => [name, true]),
) as OptionNames<CodeOptions>;

function isAlsoCode(spec: OptionSpec): boolean {
  return spec.type === 'judge' || ('orCode' in spec && spec.orCode === true);
}

function codeNamesIn(options: AnyTable): readonly string[] {
  return Object.entries(options).flatMap(([name, spec]) => {
    if (spec.type === 'code') return [name];
    return 'of' in spec ? codeNamesIn(spec.of) : [];
  });
}
