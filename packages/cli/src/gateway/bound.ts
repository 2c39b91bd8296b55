import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { RequestBounds } from '@teamfuse/wire';

const BOUND = /^(maxBytes|maxMessages|maxParts|maxDepth)=(\d+)$/;

/** A bound as the command line gives it, beside those before. */
export function boundOf(text: string, before: RequestBounds = {}): RequestBounds {
  const [, name, number] = BOUND.exec(text) ?? [];
  if (name !== undefined) return { ...before, [name]: Number(number) };
  throw new InvalidArgumentError(
    'Expected maxBytes, maxMessages, maxParts or maxDepth with a number, such as maxMessages=80000.',
  );
}
