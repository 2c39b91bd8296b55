import type { JsonValue } from '../../json.ts';

/** Fields by which services and protocols say that what they send is an error. */
const ERROR_FIELDS = ['error', 'exception', 'isError'];
/** Fields that are about the whole in the answer of a service, and about what was looked at in the result of a tool. */
const ERRORS_FIELD = 'errors';
const STATUS_FIELDS = ['status', 'statusCode'];
const HINT = /"(?:errors?|exception|isError)"\s*:|"status(?:Code)?"\s*:\s*[45]\d\d\b/;
const MAX_JSON = 16_384;
const FIRST_ERROR_STATUS = 400;
const LAST_ERROR_STATUS = 599;

/** Whether the result of a tool is an error by its own account. @internal */
export function isErrorResult(result: JsonValue): boolean {
  return isRecord(result) && ERROR_FIELDS.some((name) => isFilled(result, name));
}

/** Whether a program printed the answer of a service that is an error by its own account, and nothing else. @internal */
export function isErrorAnswer(text: string): boolean {
  const answer = HINT.test(text.slice(0, MAX_JSON)) ? parsed(text) : undefined;
  if (!isRecord(answer)) return false;
  const hasErrorStatus = STATUS_FIELDS.some((name) => isErrorStatus(answer[name]));
  return isErrorResult(answer) || isFilled(answer, ERRORS_FIELD) || hasErrorStatus;
}

/** The JSON object that `text` is; `undefined` if it is something else, or too much to look into. */
function parsed(text: string): JsonValue | undefined {
  const trimmed = text.length > MAX_JSON ? '' : text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return undefined;
  }
}

function isRecord(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(fields: { readonly [key: string]: JsonValue }, name: string): boolean {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}

function isErrorStatus(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= FIRST_ERROR_STATUS && value <= LAST_ERROR_STATUS;
}
