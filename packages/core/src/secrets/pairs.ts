/** Replaces a secret. */
export const REDACTED = '[redacted]';

const HIDDEN = '(?!\\[redacted\\])';
const WORDS =
  'passw(?:or)?d|pass(?:phrase|code)|secret(?:[_-]?key)?(?:[_-]?(?:base|value|hash))?|secure-?string|' +
  'passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀번호';
const KEYS =
  '(?:api|access|private|account|secret|sign(?:ing|ature)|encryption|decryption|master|shared|auth|hmac|ssh|storage|subscription|license|consumer|session|admin|webhook)[ _-]?';
const TOKENS = '(?:api|auth|access|refresh|id|bot|session)[_-]?';
/** Names of secrets, also at the end of a longer name such as `DB_PASSWORD`; and what people call a password. */
const NAMES = `${WORDS}|${KEYS}key|${TOKENS}token`;
/** The same for a search: few letters to look for, and then a look back. */
const ENDS = `${WORDS}|key(?<=${KEYS}key)|token(?<=${TOKENS}token)`;
/** Names of secrets if what follows is long. */
const VAGUE_NAMES = 'token|auth|credentials?|\\.sid|sessid';
const VAGUE_LENGTH = 12;
/** Names of secrets if what follows has letters and digits. */
const SHORT_NAMES = 'pass|pwd';
const NUMBERS =
  '(?:pin|t?otp|cv[vc]|code(?<=(?:verification|security|one-time|mfa|2fa)[ _-]code))(?<![a-z](?:pin|totp|cv[vc])|[a-su-z]otp)';
const CODE = '\\d{3,8}(?:-\\d{3,4}){0,3}(?![\\w.])';
const DIGIT = `(?=[^\\s"']{0,32}\\d)`;
const NUMBERED = '(?:[_-]?\\d{1,2})?';

/*
 * What stands between a name and its value: a sign, a tag, an attribute; or only a mark, where a text with a digit follows.
 * Where the value is JSON inside of JSON, its marks stand behind backslashes.
 */
const END = `${NUMBERED}\\\\{0,3}["']?\\]?`;
const SIGN = `${END}[ \\t]{0,4}(?:=>|:=|[:=：](?![=>]))[ \\t]{0,4}`;
const BLOCK = '(?:[|>][-+]?(?:\\s|\\\\[nr]){1,20})?';
const TAG = '>(?=[^<>\\r\\n]{1,256}</)|\\\\{0,3}["\'][ \\t]{1,4}value=';
const MARK = `(?:\\(|[ \\t]{1,4}|["'],[ \\t]{0,4})(?=\\\\{0,3}["'][^"'\\r\\n]{0,32}\\d)`;

const PAIR = pairs(ENDS, `(?:${SIGN}${BLOCK}|${TAG}|${MARK})`, 1, 1);
const VAGUE_PAIR = pairs(
  VAGUE_NAMES,
  SIGN,
  VAGUE_LENGTH,
  VAGUE_LENGTH,
  DIGIT,
  `(?=\\S{${VAGUE_LENGTH}})`,
);
const SHORT_PAIR = new RegExp(
  `((?:${SHORT_NAMES})${SIGN}\\\\{0,3}["']?)(?![/~.])${DIGIT}(?=[^\\s"']{0,64}[a-z])[^\\s"'\\\\&,;<>(){}\\[\\]]{6,}`,
  'gi',
);
const NUMBER_PAIR = new RegExp(`(${NUMBERS}${SIGN}\\\\{0,3}["']?)${CODE}`, 'gi');
/** In the environment of a process and in settings, hardly anything else stands behind such a name. */
const ENVIRONMENT =
  /([a-z0-9]_(?:pass|pwd|pw)=["']?)(?!\[redacted\]|[$/~.]|(?:true|false|yes|no|none|null|\d{1,3})\b)[^\s"'\\]+/gi;
const FLAG = new RegExp(
  `((?:${ENDS}|token|pass|pwd)[ \\t]{1,4}["']?)(?<=--[\\w-]{1,64}[ \\t]{1,4}["']?)${HIDDEN}(?![-<{$[])([^\\s"'\\\\]{3,})`,
  'gi',
);
/** `password hunter2`, `my PIN is 4711`; and as in `.netrc`. */
const SPOKEN = new RegExp(
  `((?:${ENDS})[ \\t]{1,4}(?:is[ \\t]{1,4})?)(?=[\\w!@#$%^*+.-]{0,64}\\d)[\\w!@#$%^*+.-]{4,}|` +
    `(${NUMBERS}[ \\t]{1,4}(?:is[ \\t]{1,4})?)${CODE}|(\\blogin[ \\t]+\\S{1,128}[ \\t]+password[ \\t]+)${HIDDEN}\\S+`,
  'gi',
);

/** Takes out what stands beside the name of a secret. */
export function withoutSecretPairs(text: string): string {
  return text
    .replace(PAIR, withoutValue)
    .replace(VAGUE_PAIR, withoutValue)
    .replace(SHORT_PAIR, `$1${REDACTED}`)
    .replace(NUMBER_PAIR, `$1${REDACTED}`)
    .replace(ENVIRONMENT, `$1${REDACTED}`)
    .replace(FLAG, (all, flag, value) => (/^[A-Z_]+\W?$/.test(value) ? all : `${flag}${REDACTED}`))
    .replace(SPOKEN, `$1$2$3${REDACTED}`);
}

const FIELD = new RegExp(
  `(?:${NAMES}|credentials?|authorization|cookie)${NUMBERED}$|^(?:pwd|token)$`,
  'i',
);
const VAGUE_FIELD = new RegExp(`(?:${VAGUE_NAMES}|${SHORT_NAMES}|${NUMBERS})$`, 'i');
const FIELD_LENGTH = 64;

/** Whether the name of a field indicates a secret. */
export function isSecretField(name: string): boolean {
  return FIELD.test(name.slice(-FIELD_LENGTH));
}

/** Whether a field holds a secret, by its name and what is in it. */
export function isSecretIn(name: string, value: string | number): boolean {
  const end = name.slice(-FIELD_LENGTH);
  if (!VAGUE_FIELD.test(end)) return false;
  const pair = `${end}="`;
  return withoutSecretPairs(pair + String(value).slice(0, 256)).startsWith(pair + REDACTED);
}

/** Words of programming languages, and what stands for a value to be filled in. */
const NO_VALUE =
  /^(?:true|false|null|none|nil|undefined|str(?:ing)?|number|int(?:eger)?|bool(?:ean)?|any|unknown|never|void|bytes|object|await|new|typeof|this|self|async|function|import|require|\*+|\.+|…|x+)$|^[$%]\w*$|\$\{|\{\{|^<[^>]*>$|^process\.env\b|^[\^~]?\d+\.\d+\.\d+/i;
const PATH = /^[a-z_$]+(?:[?!]?\.[a-z_$]+)+[?!]?$/i;
const ENVIRONMENT_NAME = /^[^a-z\s]*=$/;
const ONLY_NAME = new RegExp(`^(?:${NAMES}|token|pass|pwd)$`, 'i');
const CONSTANT = new RegExp(`^[A-Z_]+_(?:${NAMES.toUpperCase()}|TOKEN|KEY)$`);
const TYPE = /^(?:[A-Z][a-z]+){2,}$/;
const COMPOUND = /^[A-Za-z$]*(?:[a-z$](?=[A-Z])|[_$])[A-Za-z$_]+[?!]?$/;

/**
 * Whether what stands behind the name of a secret is code that refers to it, or only its type: a call, a path, another name.
 * @param next the character behind it; of a quoted text there is none
 */
function isCode(name: string, value: string, next: string | undefined): boolean {
  if (value.length > 256) return false;
  if (NO_VALUE.test(value)) return true;
  if (ENVIRONMENT_NAME.test(name)) return false;
  if (ONLY_NAME.test(value)) return true;
  if (next === undefined) return CONSTANT.test(value);
  const isCalled = next !== '' && '([{'.includes(next) && /^[\w$.:?!*]+$/.test(value);
  const isAssigned = next === ';' && / = $/.test(name) && /^[a-z_$]+$/i.test(value);
  const isName = COMPOUND.test(value) && isSecretField(value);
  const isType = ',;)|'.includes(next) && TYPE.test(value);
  return isCalled || isAssigned || isName || isType || PATH.test(value);
}

/**
 * A name, a sign, and a value: up to the quotation mark that it began with, or else up to what ends a word in code and in
 * URLs. Where the value is JSON inside of JSON, its marks stand behind backslashes: `\\2` are those, `\\3` is the mark.
 */
function pairs(
  names: string,
  sign: string,
  length: number,
  bareLength: number,
  bareHas = '',
  quotedHas = '',
): RegExp {
  const escaped = '(?:\\2\\\\\\2\\\\)*\\2\\\\\\2\\3';
  const other = `\\\\+(?!["'\\\\])|\\\\*(?!\\3)["']|[^"'\\\\\\r\\n]`;
  const quoted = `(\\\\{0,3})(["'])${HIDDEN}${quotedHas}((?:${other}|${escaped}){${length},})`;
  const bare = `${HIDDEN}(?![|>][-+]?[\\s\\\\])${bareHas}([^\\s"'\\\\&,;<>(){}\\[\\]]{${bareLength},})`;
  return new RegExp(`((?:${names})${sign})(?:${quoted}|${bare})`, 'gi');
}

function withoutValue(
  match: string,
  name: string,
  backslashes = '',
  mark = '',
  quoted: string | undefined,
  bare: string | undefined,
  offset: number,
  text: string,
): string {
  const isReference = isCode(
    name,
    quoted ?? bare ?? '',
    quoted === undefined ? text.charAt(offset + match.length) : undefined,
  );
  return isReference ? match : `${name}${backslashes}${mark}${REDACTED}`;
}
