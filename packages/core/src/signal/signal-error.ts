import { toJson } from '../common/to-json.ts';
import { isErrorStatus, STATUS_FIELDS } from './error-status.ts';
import type { SignalError } from './signal.ts';

/** Errors wrap one another this often at most; one that wraps itself does so for ever. */
const MAX_WRAPS = 8;

/**
 * A thrown value as signals report it: its message, its code or else its name, unless that is `Error`, and its HTTP status. Code and
 * status may be those of an error that it only wraps, with its very message.
 */
export function signalError(error: unknown): SignalError {
  try {
    const fields: Readonly<Record<string, unknown>> = Object(error);
    const { name, message } = fields;
    const wrapped = wrappedIn(fields);
    const code = [wrapped.code, fields.code].find((one) => typeof one === 'string' && one !== '');
    const told = code ?? name;
    const status = statusOf(wrapped) ?? statusOf(fields);
    return {
      message: typeof message === 'string' ? message : asText(toJson(error)),
      ...(typeof told === 'string' && told !== 'Error' && told !== '' && { code: told }),
      ...(status !== undefined && { status }),
    };
  } catch {
    return { message: 'an error that cannot be read' };
  }
}

/** The innermost error that says what this one says. */
function wrappedIn(error: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let inner = error;
  for (let wraps = 0; wraps < MAX_WRAPS; wraps++) {
    const cause: Readonly<Record<string, unknown>> = Object(inner.cause);
    if (typeof cause.message !== 'string' || cause.message !== inner.message) break;
    inner = cause;
  }
  return inner;
}

/** The status in an error, or in the response that it holds. */
function statusOf(error: Readonly<Record<string, unknown>>): number | undefined {
  const places = [...STATUS_FIELDS, 'code'].map((name) => error[name]);
  const { status } = Object(error.response);
  const known = [...places, status].map((value) => (value === '' ? undefined : Number(value)));
  return known.find(isErrorStatus);
}

function asText(json: unknown): string {
  return typeof json === 'string' ? json : JSON.stringify(json);
}
