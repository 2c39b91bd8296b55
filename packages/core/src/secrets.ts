/** Replaces a secret. @internal */
export const REDACTED = '[redacted]';

/** Words that name a secret, also at the end of a longer name such as `DB_PASSWORD`. */
const NAMES =
  'password|passwd|passphrase|secret|credentials?|(?:api|access|private|account)[_-]?key|(?:auth|access|refresh|id|bot|session)[_-]?token';
/** Words that name a secret if what follows is long. */
const VAGUE_NAMES = '\\bpwd|\\btoken';
const VAGUE_LENGTH = 12;
const SECRET_FIELD = new RegExp(`(?:${NAMES}|authorization|cookie)$|^(?:pwd|token)$`, 'i');
const FIELD_LENGTH = 64;

/** Keys that are recognized by their form, by issuer. */
const KEYS = [
  'sk-(?=[\\w-]{0,48}\\d)[\\w-]{16,}', // OpenAI, Anthropic and most who follow them
  '(?:[srp]k_(?:live|test)|whsec)_\\w{10,}', // Stripe
  'AIza[\\w-]{30,}|ya29\\.[\\w-]{16,}|GOCSPX-[\\w-]{16,}', // Google
  'A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}', // AWS
  'gh[pousr]_\\w{20,}|github_pat_\\w{20,}', // GitHub
  'gl(?:pat|ptt|dt|rt|soat)-[\\w-]{16,}', // GitLab
  'xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{10,}', // Slack
  'nvapi-[\\w-]{20,}|pypi-[\\w-]{20,}|lsv2_(?:pt|sk)_\\w{20,}|dckr_pat_[\\w-]{20,}|dop_v1_\\w{20,}|shpat_\\w{20,}',
  '(?:hf|gsk|r8|npm|fw|pcsk|jina|phc)_\\w{20,}|(?:xai|pplx|tvly)-[\\w-]{20,}',
  'SG\\.[\\w-]{16,}(?:\\.[\\w-]+)?', // SendGrid
  'eyJ[\\w-]{12,}(?:\\.[\\w-]*){0,4}', // JSON Web Tokens
].join('|');

/** How those keys begin, for keys that were cut off with the text. */
const BEGINNINGS =
  'sk-|[srp]k_(?:live|test)_|whsec_|AIza|ya29\\.|GOCSPX-|A(?:KIA|SIA|BIA|CCA)|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt|soat)-|xox[a-z]-|xapp-|' +
  'nvapi-|pypi-|lsv2_(?:pt|sk)_|dckr_pat_|dop_v1_|shpat_|(?:hf|gsk|r8|npm|fw|pcsk|jina|phc)_|(?:xai|pplx|tvly)-|SG\\.|eyJ';
const CUT_KEY = `(?:${BEGINNINGS})(?=[\\w-]{0,48}\\d)[\\w-]{4,64}(?=…|\\.\\.\\.|$)`;

/*
 * Each pattern takes linear time on any text: what stands before its first fixed letters, and all that it looks at
 * without taking it, is bounded, and nothing has to follow its last repetition.
 */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const KEY = new RegExp(`(?<![A-Za-z0-9])(?:${KEYS}|${CUT_KEY})`, 'g');
const URL_PASSWORD = /(:\/\/[^\s:/@]{0,256}:)(?!\[redacted\])[^\s/@]{1,512}(?=@)/g;
const BEARER = /\b(Bearer|Basic)([ \t]{1,4})(?=[\w.~+/-]{0,64}\d)[\w.~+/-]{8,}={0,2}/gi;
const AUTHORIZATION =
  /(authorization\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?)(?!\[redacted\])(?:[a-z]{1,20}[ \t]{1,4})?[^\s"'\\,;]+/gi;
const COOKIE =
  /(cookie\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?)[\w.-]{1,64}=[^\r\n"'\\]+/gi;
const PAIR = pairs(NAMES, 1);
const VAGUE_PAIR = pairs(VAGUE_NAMES, VAGUE_LENGTH);
/** `password hunter2`, `password is hunter2`: a word with a digit in it. */
const SPOKEN =
  /\b((?:password|passphrase)[ \t]{1,4}(?:is[ \t]{1,4})?)(?=[\w!@#$%^*+.-]{0,64}\d)[\w!@#$%^*+.-]{4,}/gi;

/** The text without what looks like a secret. Takes linear time on any text. @internal */
export function withoutSecrets(text: string): string {
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(KEY, REDACTED)
    .replace(URL_PASSWORD, `$1${REDACTED}`)
    .replace(BEARER, `$1$2${REDACTED}`)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(PAIR, withoutValue)
    .replace(VAGUE_PAIR, withoutValue)
    .replace(SPOKEN, `$1${REDACTED}`);
}

/** Whether the name of a field indicates a secret. @internal */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name.slice(-FIELD_LENGTH));
}

/**
 * A name, a sign, and a value: up to the quotation mark that it began with, or else up to what ends a word in code and in
 * URLs. Where the value is JSON inside of JSON, its marks stand behind backslashes: `\\2` are those, `\\3` is the mark.
 */
function pairs(names: string, length: number): RegExp {
  const sign = `\\\\{0,3}["']?[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}`;
  const escaped = '(?:\\2\\\\\\2\\\\)*\\2\\\\\\2\\3';
  const other = `\\\\+(?!["'\\\\])|\\\\*(?!\\3)["']|[^"'\\\\\\r\\n]`;
  const quoted = `(\\\\{0,3})(["'])(?!\\[redacted\\])(?:${other}|${escaped}){${length},}`;
  const bare = `(?!\\[redacted\\])[^\\s"'\\\\&,;<>(){}\\[\\]]{${length},}`;
  return new RegExp(`((?:${names})${sign})(?:${quoted}|${bare})`, 'gi');
}

function withoutValue(_: string, name: string, backslashes = '', mark = ''): string {
  return `${name}${backslashes}${mark}${REDACTED}`;
}
