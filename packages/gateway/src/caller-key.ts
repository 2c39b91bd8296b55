import { createHash } from 'node:crypto';

/** The headers in which clients send their keys. */
export const KEY_HEADERS: readonly string[] = ['authorization', 'x-api-key', 'api-key'];
/** Of a fingerprint, this much tells keys apart. */
const LENGTH = 12;
/** A key behind the name of a scheme. */
const WITH_SCHEME = /^[a-z][\w-]*\s+\S/i;

/** What is said of a key in advance. */
export interface KnownKey {
  /** The SHA-256 of the key in lower-case hexadecimal, or at least its first 12 digits. */
  readonly sha256: string;
  /** What the key is called in budgets. @defaultValue the first 12 digits of its SHA-256 */
  readonly name?: string;
  /** The team that all who have this key belong to. */
  readonly team?: string;
}

/**
 * The key that a request carries, by its fingerprint and as far as it is known; `undefined` for one without a key. Of several, a
 * known one counts: no second header hides it.
 */
export function callerKey(
  headers: Headers,
  known: readonly KnownKey[],
): (Required<Pick<KnownKey, 'name'>> & Pick<KnownKey, 'team'>) | undefined {
  const sent = KEY_HEADERS.flatMap((name) => headers.get(name) || []);
  const digests = sent.map((key) => sha256(key.replace(/^\S+\s+/, '')));
  const [first] = digests;
  if (first === undefined) return undefined;
  const found = known.find(({ sha256: prefix }) => digests.some((one) => one.startsWith(prefix)));
  const { name = (found?.sha256 ?? first).slice(0, LENGTH), team } = found ?? {};
  return { name, ...(team !== undefined && { team }) };
}

/** A header for keys that came more than once, and so was joined: nobody knows which of them the upstream takes. */
export function sentTwice(headers: Headers): string | undefined {
  return KEY_HEADERS.find((name) => {
    const [first = '', ...more] = (headers.get(name) ?? '').split(', ');
    // Some schemes have parts of their own, such as a signature.
    return (
      more.length > 0 && (!WITH_SCHEME.test(first) || more.some((one) => WITH_SCHEME.test(one)))
    );
  });
}

/** The SHA-256 of a text in hexadecimal. Synchronous: a thread of its own would take longer. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
