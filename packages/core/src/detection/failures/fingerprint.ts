import { hashText } from '../../common/hash.ts';
import { isRecord, type JsonValue } from '../../common/json.ts';
import { isErrorStatus } from '../../signal/error-status.ts';
import type { SignalError } from '../../signal/signal.ts';

/** Fields that name an error in short, the same each time: of RFC 9457, of responses, and of services. */
const TITLE_FIELDS = ['title', 'statusText', 'code', 'type', 'name'];
/** How a text begins that reports a response: `HTTP 404: no page`, maybe after the name of an error. */
const HTTP_START =
  /^\s*(?:[\w.$]{0,80}(?:error|exception)(?: ?\[\w{1,40}\])?: ?)?HTTP(?:\/[\d.]{1,3})?:? ?([45]\d\d)\b/i;
/** The same in a message of an error: `402 Payment Required`, `Too many requests (429)`. */
const STATUS_START = /^\s*([45]\d\d)(?![\w.,%])|^[^\d]{0,60}\b(429|529)\b/;
const NUMBER = /^\d+$/;

/** The status that a text begins with, if it reports a response with an error. */
export function statusIn(text: string): number | undefined {
  const found = HTTP_START.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Equal for errors with the same status and code or name, whatever else they say; 0 without a status. */
export function fingerprintOf({ message, code = '', status }: SignalError): number {
  const isStatus = NUMBER.test(code);
  const found = status ?? (isStatus ? Number(code) : (statusIn(message) ?? startOf(message)));
  const isNamed = code !== '' && !isStatus;
  return isErrorStatus(found) ? hashOf(found, isNamed ? [code] : []) : 0;
}

/** The same for an answer that reports an error with a status, if a title, a `message` or a detail says more of it. */
export function fingerprintOfAnswer(answer: JsonValue, status: string, message: string): number {
  if (status === '' || !isRecord(answer)) return 0;
  const { error, detail } = answer;
  const places = isRecord(error) ? [answer, error] : [answer];
  const titles = places.flatMap((place) => TITLE_FIELDS.map((name) => place[name])).filter(isText);
  // With nothing said about it, it is a number among data.
  const isSaid = titles.length > 0 || message !== '' || isText(detail);
  return isSaid ? hashOf(Number(status), titles) : 0;
}

function startOf(message: string): number {
  const [, first, throttled] = STATUS_START.exec(message) ?? [];
  return Number(first ?? throttled);
}

function hashOf(status: number, titles: readonly string[]): number {
  return hashText([status, ...titles].join('\n'));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
