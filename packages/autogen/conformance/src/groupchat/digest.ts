import { createHash } from 'node:crypto';
import type { SameValue } from '../harness/difference.ts';
import { isObject } from '../harness/json.ts';

/** Long texts are recorded as their length in code points and the digest of their bytes. */
export const isSameAsDigest: SameValue = (expected, got) => {
  if (!isObject(expected) || typeof got !== 'string') return false;
  const { chars, sha256, ...others } = expected;
  if (Object.keys(others).length > 0 || [...got].length !== chars) return false;
  return createHash('sha256').update(got, 'utf8').digest('hex') === sha256;
};
