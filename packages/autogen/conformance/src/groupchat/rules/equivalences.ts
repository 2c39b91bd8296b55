import { type Difference, isError } from '../../harness/difference.ts';
import type { Rule } from '../../harness/rule.ts';
import type { Vector } from '../vector.ts';

/** The places where the description of the vectors asks for a loose comparison. */
export const equivalences: readonly Rule<Vector>[] = [
  { name: 'python-failure', kind: 'equivalent', explains: isFailureOfPython },
  {
    name: 'python-text',
    kind: 'equivalent',
    explains: (difference, { vector: { tags } }) =>
      tags.includes('python_text') && isSameText(difference),
  },
];

const failuresOfPython: readonly unknown[] = [
  'AttributeError',
  'IndexError',
  'KeyError',
  'TypeError',
  'StopIteration',
  'UnboundLocalError',
];

/** These have no counterpart of the same name: only that something failed counts. */
function isFailureOfPython({ path, expected, got }: Difference): boolean {
  if (isError(expected)) {
    return expected.internal === true && failuresOfPython.includes(expected.type) && isError(got);
  }
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  if (path.endsWith('.error')) return failuresOfPython.includes(expected);
  const [kind, type] = expected.split(':');
  return kind === 'error' && failuresOfPython.includes(type) && got.startsWith('error:');
}

function isSameText({ expected, got }: Difference): boolean {
  if (isError(expected) && isError(got)) {
    return expected.type === got.type && loose(expected.message) === loose(got.message);
  }
  return typeof expected === 'string' && typeof got === 'string' && loose(expected) === loose(got);
}

/** The same text in the notation of either language. */
function loose(text: unknown): string {
  return String(text)
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b/g, 'null')
    .replace(/\b(\d+)\.0\b/g, '$1')
    .replaceAll("'", '"');
}
