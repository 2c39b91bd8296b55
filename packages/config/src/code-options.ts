import { type AnyTable, BREAKER_OPTIONS, type OptionNames } from '@teamfuse/core/kit';
import type { CodeOptions } from './policy.ts';

/** The names of options that only code can set, at any depth. */
export const CODE_NAMES: readonly string[] = codeNamesIn(BREAKER_OPTIONS);

/** The options that code can set in addition to a file. */
export const CODE_OPTIONS = Object.fromEntries(
  Object.entries(BREAKER_OPTIONS)
    .filter(([name, spec]) => spec.type === 'judge' || codeNamesIn({ [name]: spec }).length > 0)
    .map(([name]) => [name, true]),
) as OptionNames<CodeOptions>;

function codeNamesIn(options: AnyTable): readonly string[] {
  return Object.entries(options).flatMap(([name, spec]) => {
    if (spec.type === 'code') return [name];
    return 'of' in spec ? codeNamesIn(spec.of) : [];
  });
}
