import type { Failure } from '../analysis/analyzed-signal.ts';
import { quotation } from '../excerpt.ts';

interface Words {
  readonly target: string;
  readonly error: string;
}

/** Names of errors, tools and models are not quoted; any other text is. */
const NAME = /^[\w.$:/-]{1,80}$/;
const TOOL = /^tool (.*)$/s;

/**
 * What failed, in words, as what was said and without it. What an untrusted tool says about its failure is not quoted: a reason
 * may be passed on to a model.
 * @internal
 */
export function describeFailure({
  target,
  category,
  isUntrusted,
}: Failure): Words & { readonly unquoted: Words } {
  const tool = TOOL.exec(target)?.[1];
  const isUnknown = category === '';
  const error = isUnknown || isUntrusted ? 'an error' : named(category);
  return {
    target: tool === undefined ? target : `tool ${named(tool)}`,
    error,
    unquoted: { target: tool === undefined ? target : 'a tool', error: 'an error' },
  };
}

/** A name as a reason tells it: as it is if it looks like one, and else quoted. @internal */
export function named(text: string): string {
  return NAME.test(text) ? text : quotation(text);
}
