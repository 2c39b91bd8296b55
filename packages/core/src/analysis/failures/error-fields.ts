import { isArray, isRecord } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { isErrorStatus, STATUS_FIELDS } from '../../signal/error-status.ts';

/** Fields with which services and protocols report errors. */
const ERROR_FIELDS = ['error', 'exception'];
/** In a printed response it concerns the whole; in the result of a tool, what was looked at. */
const ERRORS_FIELD = 'errors';
const MAX_JSON = 16_384;

/** An error that an answer reports in one of its fields. */
export interface ReportedError {
  /** The status as text, or empty. */
  readonly status: string;
  /** Whether the answer is marked as an error, not only by a text. */
  readonly isMarked: boolean;
  /** What it says about the error; empty if it has no field for that. */
  readonly message: string;
}

/** The error that a printed or returned answer reports, if any. */
export function errorIn(answer: JsonValue, isPrinted: boolean): ReportedError | undefined {
  if (!isRecord(answer)) return undefined;
  const fields = isPrinted ? [...ERROR_FIELDS, ERRORS_FIELD] : ERROR_FIELDS;
  const status = statusOf(answer) ?? statusOf(answer.error, 'code');
  const isMarked = answer.isError === true || fields.some((name) => isObject(answer[name]));
  const told = fields.filter((name) => isText(answer[name])).length;
  const texts = Object.values(answer).filter((value) => isText(value) || isObject(value)).length;
  // Next to other data, a text in such a field may say that there was no error.
  const isTold = told > 0 && (texts === told || status !== undefined);
  if (status === undefined && !isMarked && !isTold) return undefined;
  return {
    status: String(status ?? ''),
    isMarked: isMarked || (isTold && status !== undefined),
    message: messageIn(answer),
  };
}

function statusOf(place: unknown, ...others: readonly string[]): unknown {
  if (!isRecord(place)) return undefined;
  return [...STATUS_FIELDS, ...others].map((name) => place[name]).find(isErrorStatus);
}

/** The text of an error: its field or the message in it, or else the message or content of the answer. */
function messageIn(answer: Readonly<Record<string, unknown>>): string {
  const fields = [...ERROR_FIELDS, ERRORS_FIELD].map((name) => answer[name]);
  for (const field of [...fields, answer, answer.content]) {
    const place: unknown = isArray(field) ? field[0] : field;
    const text = isRecord(place) ? (place.message ?? place.text) : place;
    if (isText(text)) return text;
  }
  return '';
}

/** The JSON object in a printed text; `null` if it is something else, or too long. */
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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
