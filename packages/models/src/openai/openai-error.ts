import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import type { CleanText } from '../calls/clean-text.ts';
import { ModelClientError, type ModelClientErrorCode } from '../errors.ts';
import { badResponse } from './wire-fields.ts';

/** Says what an error of the OpenAI library means. Every text in it has gone through `clean`. */
export function toModelClientError(error: unknown, clean: CleanText): ModelClientError {
  if (error instanceof ModelClientError) return error;
  const message = clean(messageOf(error));
  const cause = cleanCause(error, clean);
  if (error instanceof APIUserAbortError) {
    return new ModelClientError('CANCELLED', 'the model call was cancelled', { cause });
  }
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelClientError('TIMEOUT', 'the model server did not answer in time', { cause });
  }
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    const { status } = error;
    const text = `the model server refused the call: ${message}`;
    return new ModelClientError(codeOf(status), text, { status, cause });
  }
  if (error instanceof SyntaxError) return badResponse(message, cause);
  const text = `the connection to the model server failed: ${clean(messageOf(reasonOf(error)))}`;
  return new ModelClientError('CONNECTION', text, { cause });
}

function codeOf(status: number | undefined): ModelClientErrorCode {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) return 'AUTHENTICATION';
  // An error inside a stream has no HTTP status.
  if (status === undefined || status >= 500) return 'SERVER';
  return 'BAD_REQUEST';
}

/** A copy with nothing but name, message and code: the original holds headers, bodies and addresses. */
function cleanCause(error: unknown, clean: CleanText): Error {
  const copy = new Error(clean(messageOf(error)));
  if (!(error instanceof Error)) return copy;
  copy.name = clean(error.name);
  const inner = error.cause instanceof Error ? cleanCause(error.cause, clean) : undefined;
  if (inner !== undefined) copy.cause = inner;
  const code = 'code' in error && typeof error.code === 'string' ? clean(error.code) : undefined;
  return Object.assign(copy, code === undefined ? {} : { code });
}

/** The innermost cause: those around it say only that something has failed. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : error;
}

/** An error of several addresses has no message but a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String(Reflect.get(error, 'code') ?? error.name);
}
