import type { JsonValue } from '../json.ts';

/** Fields by which services and protocols say that what they send is an error. */
const ERROR_FIELDS = ['error', 'errors', 'exception', 'isError'];
const STATUS_FIELDS = ['status', 'statusCode'];
const HINT = /"(?:errors?|exception|isError)"\s*:|"status(?:Code)?"\s*:\s*[45]\d\d\b/;
const MAX_JSON = 16_384;
const FIRST_ERROR_STATUS = 400;
const LAST_ERROR_STATUS = 599;

/** Whether a structured answer is an error by its own account: an error field with something in it, or a status. @internal */
export function isErrorAnswer(answer: JsonValue): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  const fields = answer as { readonly [key: string]: JsonValue };
  return (
    ERROR_FIELDS.some((name) => Object.hasOwn(fields, name) && isFilled(fields[name])) ||
    STATUS_FIELDS.some((name) => Object.hasOwn(fields, name) && isErrorStatus(fields[name]))
  );
}

/** Whether `text` is such an answer, and nothing else. @internal */
export function isErrorJson(text: string): boolean {
  if (text.length > MAX_JSON || !HINT.test(text)) return false;
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return false;
  try {
    return isErrorAnswer(JSON.parse(trimmed) as JsonValue);
  } catch {
    return false;
  }
}

function isFilled(value: JsonValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.keys(value).length > 0;
}

function isErrorStatus(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && value >= FIRST_ERROR_STATUS && value <= LAST_ERROR_STATUS;
}
