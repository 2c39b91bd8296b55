import { quotation } from '../../common/excerpt.ts';
import type { Failure } from '../analyzed-signal.ts';

interface Words {
  readonly target: string;
  /** The error as a quotation; `undefined` if it is unknown or not to be quoted. */
  readonly error: string | undefined;
}

const TARGET = /^(tool|model) (.*)$/s;
/** Longer than any reason: only what secrets were taken out of may be cut. */
const MAX_ERROR = 600;

/**
 * What failed, in words, as what was said and without it. What an untrusted tool says about its failure is not quoted: a reason
 * may be passed on to a model.
 */
export function describeFailure({
  target,
  shown,
  isUntrusted,
}: Failure): Words & { readonly unquoted: string } {
  const [, kind, name = ''] = TARGET.exec(target) ?? [];
  const isTool = kind === 'tool';
  const plain = kind === undefined ? 'the code' : `model ${quotation(name)}`;
  return {
    target: isTool ? quotation(name) : plain,
    error: shown === '' || isUntrusted ? undefined : quotation(shown, MAX_ERROR),
    unquoted: isTool ? 'a tool' : plain,
  };
}
