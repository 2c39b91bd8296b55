import { isArray, isRecord, type JsonValue } from '../../common/json.ts';
import { EXIT_FIELDS, isErrorStatus, STATUS_FIELDS } from '../../signal/error-status.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields with which services and protocols report errors. */
const ERROR_FIELDS = ['error', 'exception'];
/** In a printed response it concerns the whole; in the result of a tool, what was looked at. */
const ERRORS_FIELD = 'errors';
/** Fields that are `false` where a tool did not do what it was asked for. */
const DONE_FIELDS = ['ok', 'success'];
/** What a field says instead of a status by number. */
const FAILED_STATUS = ['error', 'failed'];
const MAX_JSON = 16_384;

/** An error that an answer reports in one of its fields. */
export interface ReportedError {
  /** The status as text, or empty. */
  readonly status: string;
  /** Whether the answer is marked as an error, not only by a text. */
  readonly isMarked: boolean;
  /** What it says about the error; empty if it has no field for that. */
  readonly message: string;
  /** Whether that is all that says so: it may be what was asked about, and then differs from call to call. */
  readonly isOfCall: boolean;
}

/** The end of a program, with an exit code other than 0. */
export interface FailedProgram {
  /** The exit code in words. */
  readonly message: string;
  /** What it printed. */
  readonly output: string;
}

/** Where an answer comes from: a tool may answer with fields or with JSON as text, a program can only print. */
export type AnswerForm = 'fields' | 'text' | 'printed';

/** The error that a printed or returned answer reports, if any. */
export function errorIn(
  answer: JsonValue,
  form: AnswerForm,
): ReportedError | FailedProgram | undefined {
  if (!isRecord(answer)) return undefined;
  const fields = form === 'fields' ? ERROR_FIELDS : [...ERROR_FIELDS, ERRORS_FIELD];
  const status = statusOf(answer) ?? statusOf(answer.error, 'code');
  const isMarked = answer.isError === true || fields.some((name) => isObject(answer[name]));
  const reasons = fields.filter((name) => isText(answer[name])).length;
  const texts = Object.values(answer).filter((value) => isText(value) || isObject(value)).length;
  const hasFailed = form !== 'printed' && hasFailedBy(answer, texts);
  // Next to other data, a text in such a field may say that there was no error.
  const hasReason = reasons > 0 && (texts === reasons || status !== undefined || hasFailed);
  if (form !== 'printed') {
    const code = EXIT_FIELDS.map((name) => answer[name]).find(isExitCode);
    if (code !== undefined) return { message: `exit code ${code}`, output: printedIn(answer) };
  }
  if (status === undefined && !isMarked && !hasReason && !hasFailed) return undefined;
  return {
    status: String(status ?? ''),
    isMarked: isMarked || (hasReason && (status !== undefined || hasFailed)),
    message: messageIn(answer),
    isOfCall: hasFailed && !isMarked && !hasReason,
  };
}

/** Whether the answer as a whole says so: by `false`, by a status in words, or by a list of errors and no other data. */
function hasFailedBy(answer: Fields, texts: number): boolean {
  const { status, errors } = answer;
  if (DONE_FIELDS.some((name) => answer[name] === false)) return true;
  if (isText(status) && FAILED_STATUS.includes(status.toLowerCase())) return true;
  return isArray(errors) && errors.length > 0 && texts === 1;
}

/** All that an answer with an exit code holds besides, a line for each field. */
function printedIn(answer: Fields): string {
  const lines = Object.entries(answer)
    .filter(([name, value]) => !EXIT_FIELDS.includes(name) && (isText(value) || isObject(value)))
    .map(([, value]) => (isText(value) ? value : JSON.stringify(value)));
  return lines.join('\n');
}

function statusOf(place: unknown, ...others: readonly string[]): unknown {
  if (!isRecord(place)) return undefined;
  return [...STATUS_FIELDS, ...others].map((name) => place[name]).find(isErrorStatus);
}

/** The text of an error: its field or the message in it, or else the message or content of the answer. */
function messageIn(answer: Fields): string {
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
  const trimmed = text.trim();
  if (trimmed.length > MAX_JSON || !trimmed.startsWith('{')) return null;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return null;
  }
}

function isExitCode(value: unknown): boolean {
  return Number.isInteger(value) && value !== 0;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
