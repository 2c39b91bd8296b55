import { CARD, isCard, KEY, NAMED_KEY, PASSWORD_HASH } from './keys.ts';
import { REDACTED, withoutSecretPairs } from './pairs.ts';

/*
 * Each pattern takes linear time on any text: what stands before its first fixed letters, and all that it looks at
 * without taking it, is bounded, and nothing has to follow its last repetition.
 */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;
const URL_PASSWORD = /(:\/\/[^\s:/@]{0,256}:)(?!\[redacted\])[^\s/]{1,512}(?=@)/g;
const URL_KEY = /(:\/\/)(?=[^\s/@:]{0,64}\d)[^\s/@:]{20,512}(?=@)/g;
/** Of a URL, what proves that whoever knows it may use it. */
const QUERY =
  /([?&](?:x-[a-z]{1,8}-)?(?:sig|signature|key|auth)=)(?=[^&\s]{0,40}\d)[^&#\s"'<>\\]{12,}/gi;
const HOOK = /:\/\/[^\s"'`<>]+/g;
const HOOK_PART = /\/(?=[\w-]{0,64}\d)[\w-]{16,}/g;
const BEARER =
  /\b(Bearer[ \t]{1,4}(?=[\w.~+/-]{0,64}\d)|Basic[ \t]{1,4}(?=[\w+/]{0,64}\d)(?=[\w+/]{8,256}(?![\w.-])))[\w.~+/-]{8,}={0,2}/gi;
const AUTHORIZATION =
  /(authorization\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?)(?!\[redacted\])(?:digest[ \t][^\r\n]+|(?:[a-z]\w{0,20}[ \t]{1,4})?(?:(?=[^\s"'\\,;]{0,64}\d)[^\s"'\\,;]{4,}|[^\s"'\\,;${<]{16,}))/gi;
const COOKIE =
  /(cookie\\{0,3}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["']?)[\w.-]{1,64}=[^\r\n"'\\]+/gi;
const USER =
  /((?:^|\s)(?:-u|--user|--proxy-user)[ \t=]{0,4}["']?[^\s:"'=-][^\s:"']{0,128}:)(?!\d+(?:\s|$))[^\s"']{3,}/g;
const COMMAND =
  /\b(sshpass|redis-cli|mongo\w{0,8}|mysql\w{0,8}|mariadb|7z\w?|ldap\w{3,8})[ \t][^\n]{1,400}/g;
const SWITCH = /([ \t]-[apw][ \t]{0,4}["']?)(?![-\d]*(?:\s|$)|\[redacted\])[^\s"'-][^\s"']*/g;

/** The text without what looks like a secret. Takes linear time on any text. */
export function withoutSecrets(text: string): string {
  const known = text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(KEY, REDACTED)
    .replace(NAMED_KEY, REDACTED)
    .replace(PASSWORD_HASH, REDACTED)
    .replace(URL_PASSWORD, `$1${REDACTED}`)
    .replace(URL_KEY, `$1${REDACTED}`)
    .replace(HOOK, withoutHook)
    .replace(QUERY, `$1${REDACTED}`)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(USER, `$1${REDACTED}`)
    .replace(COMMAND, (command) => command.replace(SWITCH, `$1${REDACTED}`))
    .replace(CARD, (number) => (isCard(number) ? REDACTED : number));
  return withoutSecretPairs(known);
}

/** What follows `hook` in an address is known only to who may call it. */
function withoutHook(url: string): string {
  const at = url.indexOf('hook');
  return at < 0 ? url : url.slice(0, at) + url.slice(at).replace(HOOK_PART, `/${REDACTED}`);
}
