import { toJson } from '../to-json.ts';
import type { SignalError } from './signal.ts';

/** A thrown value as signals report it: its message, and its code or else its name, unless that is `Error`. */
export function signalError(error: unknown): SignalError {
  try {
    const { name, message, code } = Object(error);
    const told = typeof code === 'string' && code !== '' ? code : name;
    return {
      message: typeof message === 'string' ? message : textOf(toJson(error)),
      ...(typeof told === 'string' && told !== 'Error' && told !== '' && { code: told }),
    };
  } catch {
    return { message: 'an error that cannot be read' };
  }
}

function textOf(json: unknown): string {
  return typeof json === 'string' ? json : JSON.stringify(json);
}
