import { isRecord } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';

/** Fields with which services and protocols report errors. */
const ERROR_FIELDS = ['error', 'exception'];
/** In a printed response it concerns the whole; in the result of a tool, what was looked at. */
const ERRORS_FIELD = 'errors';
const STATUS_FIELDS = ['status', 'statusCode', 'status_code'];
const MAX_JSON = 16_384;
const FIRST_ERROR_STATUS = 400;
const LAST_ERROR_STATUS = 599;

/** An error that an answer reports in one of its fields. @internal */
export interface ReportedError {
  /** The status as text, or empty. */
  readonly status: string;
  /** Whether the answer is marked as an error, not only by a text. */
  readonly isMarked: boolean;
}

/** The error that a printed or returned answer reports, if any. @internal */
export function errorIn(answer: JsonValue, isPrinted: boolean): ReportedError | undefined {
  if (!isRecord(answer)) return undefined;
  const fields = isPrinted ? [...ERROR_FIELDS, ERRORS_FIELD] : ERROR_FIELDS;
  const status = STATUS_FIELDS.map((name) => answer[name]).find(isErrorStatus);
  const isMarked = answer.isError === true || fields.some((name) => isObject(answer[name]));
  const told = fields.filter((name) => isText(answer[name])).length;
  const texts = Object.values(answer).filter((value) => isText(value) || isObject(value)).length;
  // Next to other data, a text in such a field may say that there was no error.
  const isTold = told > 0 && (texts === told || status !== undefined);
  if (status === undefined && !isMarked && !isTold) return undefined;
  return { status: String(status ?? ''), isMarked: isMarked || (isTold && status !== undefined) };
}

/** The JSON object in a printed text; `null` if it is something else, or too long. @internal */
export function jsonIn(text: string): JsonValue {
  const trimmed = text.length > MAX_JSON ? '' : text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return null;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isErrorStatus(value: unknown): boolean {
  return typeof value === 'number' && value >= FIRST_ERROR_STATUS && value <= LAST_ERROR_STATUS;
}
