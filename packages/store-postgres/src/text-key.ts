import { createHash } from 'node:crypto';

/** Longer ones do not fit an index of PostgreSQL. */
const MAX_LENGTH = 500;

/** A text as PostgreSQL can keep it, for any text: without the character NUL, and short enough for an index. */
export function textKey(text: string): string {
  const key = text.replaceAll('\\', '\\\\').replaceAll('\u0000', '\\0');
  if (key.length <= MAX_LENGTH) return key;
  return `${key.slice(0, 100)}\\${createHash('sha256').update(text).digest('hex')}`;
}
