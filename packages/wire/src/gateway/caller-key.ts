import { createHash } from 'node:crypto';
import { formatOf, parametersOf, pathOf } from '../formats/index.ts';

/** The headers in which the APIs that are read take their keys. */
export const KEY_HEADERS: readonly string[] = [
  ...['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'],
];
/** Others that carry a key, of clouds and of gateways further on. */
const OTHER_KEYS =
  /(?:^|-)(?:authorization|auth|api-?key|subscription-key|access-key|access-token|auth-token)$/;
/** Servers that take keys in other headers than the API that they speak, by their addresses. */
const OF_SERVERS: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/[^/]*\.azure-api\.net(?:[:/]|$)/i, 'ocp-apim-subscription-key'],
  [/^https?:\/\/[^/]*\.(?:azure|microsoft)\.com(?:[:/]|$)/i, 'api-key'],
  [/\/openai\/deployments\//i, 'api-key'],
  [/\/projects\/[^/]+\/locations\//i, 'authorization'],
];
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

/** The headers of a request that carry keys, those of the APIs first. A cookie is one where there is no other. */
export function keysIn(headers: Headers): readonly (readonly [name: string, key: string])[] {
  const names = [...headers.keys()].filter((name) => OTHER_KEYS.test(name));
  const found = [...new Set([...KEY_HEADERS, ...names])].flatMap((name) => {
    const key = headers.get(name);
    return key ? [[name, key] as const] : [];
  });
  const cookie = headers.get('cookie');
  return found.length === 0 && cookie ? [['cookie', cookie]] : found;
}

/** The headers of a request with the keys that its API takes in the query, as if they stood in the header for them. */
export function withKeyOfQuery(given: Headers, url: string): Headers {
  const { keyParameter, keyHeader = '' } = formatOf(url) ?? {};
  if (keyParameter === undefined) return given;
  const headers = new Headers(given);
  const keys = new Set([...parametersOf(url, keyParameter), headers.get(keyHeader) ?? '']);
  headers.delete(keyHeader);
  for (const key of keys) if (key !== '') headers.append(keyHeader, key);
  return headers;
}

/** The header in which the server at an address takes keys, as far as it is known. */
export function keyHeaderOf(url: string): string | undefined {
  const spellings = [url, pathOf(url)];
  const ofServer = OF_SERVERS.find(([address]) => spellings.some((one) => address.test(one)))?.[1];
  return ofServer ?? formatOf(url)?.keyHeader;
}

/** Whether a header carries a key. */
export function isKeyHeader(name: string): boolean {
  return OTHER_KEYS.test(name);
}

/**
 * The key that a request carries, by its fingerprint and as far as it is known; `undefined` for one without a key. Of several, a
 * known one counts, and of several such ones, or none, that of the header `first`, which the server takes: no second header hides it.
 */
export function callerKey(
  headers: Headers,
  known: readonly KnownKey[],
  first?: string,
): (Required<Pick<KnownKey, 'name'>> & Pick<KnownKey, 'team'>) | undefined {
  const sent = keysIn(headers);
  const taken = sent.filter(([name]) => name === first);
  const digests = [...taken, ...sent].map(([, key]) => fingerprint(key));
  const [paying] = digests;
  if (paying === undefined) return undefined;
  const found = digests.flatMap(
    (digest) => known.find(({ sha256: prefix }) => digest.startsWith(prefix)) ?? [],
  )[0];
  const { name = (found?.sha256 ?? paying).slice(0, LENGTH), team } = found ?? {};
  return { name, ...(team !== undefined && { team }) };
}

function fingerprint(key: string): string {
  return sha256(key.replace(/^\S+\s+/, ''));
}

/** A header for keys that came more than once, and so was joined: nobody knows which of them the upstream takes. */
export function sentTwice(headers: Headers): string | undefined {
  const twice = keysIn(headers).find(([name, key]) => name !== 'cookie' && isJoined(key));
  return twice?.[0];
}

function isJoined(key: string): boolean {
  const [first = '', ...more] = key.split(', ');
  // Some schemes have parts of their own, such as a signature.
  return more.length > 0 && (!WITH_SCHEME.test(first) || more.some((one) => WITH_SCHEME.test(one)));
}

/** The SHA-256 of a text in hexadecimal. Synchronous: a thread of its own would take longer. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
