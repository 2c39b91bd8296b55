const MAX_READ = 100_000;
const MAX_LENGTH = 500;
/** A shorter key is a placeholder for a server that needs none, and an ordinary word. */
const MIN_KEY = 6;
const ESCAPE = String.raw`\u001b\[[0-?]*[ -/]*[@-~]|\u009b[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*\u0007?`;
const escapes = new RegExp(ESCAPE, 'g');

/** Makes what a server said fit for an error message: one line, short, without control characters and secrets. */
export type CleanText = (text: string) => string;

/** Cleans text and removes `secrets` from it, however they are spelt in a URL or in JSON. */
export function textCleaner(secrets: readonly string[]): CleanText {
  const spellings = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret), inJson(secret)])
    .map(plain);
  // The longest first, since one may contain another.
  const unique = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    const line = plain(text.slice(0, MAX_READ));
    const safe = unique.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), line);
    if (safe.length <= MAX_LENGTH) return safe;
    // A cut may leave half a character.
    return `${safe.slice(0, MAX_LENGTH).replace(/\p{Cs}$/u, '')}…`;
  };
}

/** The API key as a secret, unless it is a placeholder. */
export function secretKey(key: unknown): string[] {
  return typeof key === 'string' && key.length >= MIN_KEY ? [key] : [];
}

function plain(text: string): string {
  return text
    .replace(escapes, '')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
