import { toJson } from '../common/to-json.ts';
import { isErrorStatus, STATUS_FIELDS } from './error-status.ts';
import type { SignalError } from './signal.ts';

/** A thrown value as signals report it: its message, its code or else its name, unless that is `Error`, and its HTTP status. */
export function signalError(error: unknown): SignalError {
  try {
    const fields: Readonly<Record<string, unknown>> = Object(error);
    const { name, message, code } = fields;
    const told = typeof code === 'string' && code !== '' ? code : name;
    const status = statusOf(fields);
    return {
      message: typeof message === 'string' ? message : asText(toJson(error)),
      ...(typeof told === 'string' && told !== 'Error' && told !== '' && { code: told }),
      ...(status !== undefined && { status }),
    };
  } catch {
    return { message: 'an error that cannot be read' };
  }
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
