const HIDDEN = '[redacted]';

/** Keys that are known by how they begin, and the fewest characters that follow. */
const KEYS: readonly (readonly [beginning: string, character: string, length: number])[] = [
  ['sk-', '[\\w-]', 16],
  ['(?:sk|rk|pk)_(?:live|test)_', '\\w', 10],
  ['(?:gh[pousr]_|github_pat_)', '\\w', 20],
  ['glpat-', '[\\w-]', 16],
  ['A(?:KIA|SIA)', '[A-Z0-9]', 16],
  ['AIza', '[\\w-]', 30],
  ['ya29\\.', '[\\w-]', 16],
  ['xox[a-z]-', '[\\w-]', 10],
  ['(?:hf|gsk|r8|npm)_', '\\w', 20],
  ['(?:xai|pplx|tvly|nvapi)-', '[\\w-]', 16],
  ['eyJ', '[\\w.-]', 24],
];
/** Text that was cut short may have cut a key, of which any part is too much. */
const CUT = '(?=…|\\.\\.\\.|$)';
const KEY = new RegExp(
  `(?<![A-Za-z0-9])(?:${KEYS.map(([beginning, character, length]) => `${beginning}(?:${character}{${length},}|${character}{4,}${CUT})`).join('|')})`,
  'g',
);

const NAMES =
  'password|passwd|passphrase|secret|credentials?|(?:api|access|private|account)[_-]?key|(?:auth|access|refresh|session)[_-]?token';
const NAMED = new RegExp(
  `((?:${NAMES})\\\\{0,3}["']?[ \\t]{0,4}[:=][ \\t]{0,4})(?:\\\\{0,3}["'][^"'\\r\\n]{1,400}|[^\\s"',;&(){}]{1,400})`,
  'gi',
);
const SECRET_FIELD = new RegExp(`(?:${NAMES}|authorization)$|^(?:pwd|token)$`, 'i');
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g;
const BEARER = /\b((?:bearer|basic)[ \t]{1,4})[\w.~+/-]{8,}={0,2}/gi;
const URL_PASSWORD = /(:\/\/[^\s:/@]{0,256}:)[^\s/@]{1,512}(?=@)/g;

/**
 * The text without keys of the large providers, bearer tokens, passwords in URLs or beside their name, and private keys. Each
 * pattern takes linear time.
 */
export function redact(text: string): string {
  return text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(KEY, HIDDEN)
    .replace(BEARER, `$1${HIDDEN}`)
    .replace(URL_PASSWORD, `$1${HIDDEN}`)
    .replace(NAMED, `$1${HIDDEN}`);
}

/** Redacts all texts in a JSON value, its names included. */
export function redactAll<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactAll) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const isSecret = typeof one === 'string' && SECRET_FIELD.test(name);
    return [redact(name), isSecret ? HIDDEN : redactAll(one)];
  });
  return Object.fromEntries(entries) as T;
}
