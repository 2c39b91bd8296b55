import { type OptionAdvice, shown, unknownOption } from '@teamfuse/python-compat';
import { GroupChatError, invalidValue, UnknownOptionError } from './errors.ts';

/**
 * Returns options all of which exist.
 *
 * @throws {@link UnknownOptionError} for one that does not, {@link GroupChatError} for what is no object
 */
export function knownOptions<T extends object>(
  what: string,
  options: T,
  names: Readonly<Record<string, true>>,
  advice?: OptionAdvice,
): T {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const problem = `${what}: the options have to be an object, received ${shown(given)}`;
    throw invalidValue(problem);
  }
  const unknown = unknownOption(options, names, advice);
  if (unknown) throw new UnknownOptionError(what, unknown.option, unknown.advice);
  return options;
}
