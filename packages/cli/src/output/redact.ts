const HIDDEN = '[redacted]';

/**
 * What begins like a key of a large provider. A key may have been cut short, so that what follows the beginning may be
 * short where the text ends.
 */
const KEYS = keyPattern([
  ['sk-[A-Za-z0-9_-]{0,12}?', '[A-Za-z0-9_-]', 16],
  ['(?:gh[pousr]_|github_pat_)', '[A-Za-z0-9_]', 20],
  ['glpat-', '[A-Za-z0-9_-]', 16],
  ['(?:AKIA|ASIA)', '[A-Z0-9]', 16],
  ['AIza', '[A-Za-z0-9_-]', 30],
  ['ya29\\.', '[A-Za-z0-9_-]', 20],
  ['xox[abeoprs]-', '[A-Za-z0-9-]', 10],
  ['hf_', '[A-Za-z0-9]', 20],
  ['(?:gsk|r8|pplx|xai|tvly|nvapi)[_-]', '[A-Za-z0-9_-]', 16],
  ['(?:sk|rk|pk)_(?:live|test)_', '[A-Za-z0-9]', 10],
  ['npm_', '[A-Za-z0-9]', 30],
  ['eyJ[A-Za-z0-9_-]{8,}\\.eyJ', '[A-Za-z0-9_.-]', 16],
]);

/** Each with what stays readable before and after the secret. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    HIDDEN,
  ],
  [KEYS, HIDDEN],
  [/(\bbearer\s+)[\w~+/.=-]{8,}/gi, `$1${HIDDEN}`],
  [/(\bbasic\s+)[\w+/=]{12,}/gi, `$1${HIDDEN}`],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@|$)/gi, `$1${HIDDEN}`],
  [
    /(\b[\w-]{0,40}(?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token)\\?["']?\s{0,3}[:=]\s{0,3})(?:\\?["'](?:[^"'\\]|\\(?!["']).){1,400}|[^\s"',;&}\\]{1,400})/gi,
    `$1${HIDDEN}`,
  ],
];

/** The text without keys, tokens and passwords. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, shown]) => clean.replace(pattern, shown), text);
}

/** Redacts all texts in a JSON value, its names included. */
export function redactAll<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactAll) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => {
    const isSecret = typeof one === 'string' && SECRET_NAME.test(name);
    return [redact(name), isSecret ? HIDDEN : redactAll(one)];
  });
  return Object.fromEntries(entries) as T;
}

const SECRET_NAME =
  /password|passwd|passphrase|^pwd$|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token/i;

type Key = readonly [prefix: string, character: string, length: number];

function keyPattern(keys: readonly Key[]): RegExp {
  const forms = keys.map(
    ([prefix, character, length]) =>
      `${prefix}(?:${character}{${length},}|${character}*(?=…|\\.\\.\\.|$))`,
  );
  return new RegExp(`(?<![A-Za-z0-9])(?:${forms.join('|')})`, 'g');
}
