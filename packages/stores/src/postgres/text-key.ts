import { createHash } from 'node:crypto';

/** Longer ones do not fit an index of PostgreSQL. */
const MAX_LENGTH = 500;
const HALF_PAIR = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as PostgreSQL can keep it, for any text: well-formed, without the character NUL, and short enough for an index. */
export function textKey(text: string): string {
  const key = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\u0000', '\\0')
    .replace(HALF_PAIR, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
  if (key.length <= MAX_LENGTH) return key;
  const hash = createHash('sha256').update(JSON.stringify(text)).digest('hex');
  return `${key.slice(0, 100).replace(HALF_PAIR, '')}\\${hash}`;
}
