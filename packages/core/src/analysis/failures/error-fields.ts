import type { JsonValue } from '../../json.ts';

/** Fields by which services and protocols say that what they send is an error. */
const ERROR_FIELDS = ['error', 'exception'];
/** In the answer of a service it is about the whole; in the result of a tool, about what was looked at. */
const ERRORS_FIELD = 'errors';
const STATUS_FIELDS = ['status', 'statusCode', 'status_code'];
const MAX_JSON = 16_384;
const FIRST_ERROR_STATUS = 400;
const LAST_ERROR_STATUS = 599;

/** An error that an answer reports in one of its fields. @internal */
export interface ReportedError {
  /** The status of the answer as text; empty if it has none. */
  readonly status: string;
  /** Whether the answer is marked as an error, rather than to hold the word of one. */
  readonly isMarked: boolean;
}

/** The error that an answer, printed or returned, reports; `undefined` if it reports none. @internal */
export function errorIn(answer: JsonValue, isPrinted: boolean): ReportedError | undefined {
  if (!isRecord(answer)) return undefined;
  const fields = isPrinted ? [...ERROR_FIELDS, ERRORS_FIELD] : ERROR_FIELDS;
  const status = STATUS_FIELDS.map((name) => answer[name]).find(isErrorStatus);
  const isMarked = answer.isError === true || fields.some((name) => isObject(answer[name]));
  const told = fields.filter((name) => isText(answer[name])).length;
  const texts = Object.values(answer).filter((value) => isText(value) || isObject(value)).length;
  // Beside data or other texts, a word in such a field may say that there was no error.
  const isTold = told > 0 && (texts === told || status !== undefined);
  if (status === undefined && !isMarked && !isTold) return undefined;
  return { status: String(status ?? ''), isMarked: isMarked || (isTold && status !== undefined) };
}

/** The JSON object that a printed text is; `null` if it is something else, or too much to look into. @internal */
export function jsonIn(text: string): JsonValue {
  const trimmed = text.length > MAX_JSON ? '' : text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return null;
  }
}

function isRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObject(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function isErrorStatus(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= FIRST_ERROR_STATUS && value <= LAST_ERROR_STATUS;
}
