const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The least that Standard Webhooks allow. */
const MIN_BYTES = 24;

/** A `Uint8Array` whose buffer nobody shares. `Uint8Array<ArrayBuffer>` says so only since TypeScript 5.7. */
export type Bytes = ReturnType<Uint8Array['slice']>;

/** What the option `secret` may be. */
export const EXPECTED_SECRET: string = `a text of at least ${MIN_BYTES} bytes, or '${PREFIX}' and as many bytes in base64`;

/** The bytes of a secret, or `undefined` if it is none. */
export function keyIn(secret: string): Bytes | undefined {
  const key = secret.startsWith(PREFIX)
    ? decoded(secret.slice(PREFIX.length))
    : new TextEncoder().encode(secret);
  return key !== undefined && key.length >= MIN_BYTES ? key : undefined;
}

function decoded(base64: string): Bytes | undefined {
  if (!BASE64.test(base64)) return undefined;
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The signature of Standard Webhooks: version 1, by a shared secret. */
export async function signatureOf(
  key: Bytes,
  { id, at, body }: { readonly id: string; readonly at: string; readonly body: string },
): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const content = new TextEncoder().encode(`${id}.${at}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', imported, content));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}
