import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ModelClientError, type ModelClientErrorCode } from '../errors.ts';
import { badResponse } from './wire-result.ts';

/** Says what an error of the OpenAI library means. */
export function toModelClientError(error: unknown): ModelClientError {
  if (error instanceof ModelClientError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof APIUserAbortError) {
    return new ModelClientError('CANCELLED', 'the model call was cancelled', { cause: error });
  }
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelClientError('TIMEOUT', 'the model server did not answer in time', {
      cause: error,
    });
  }
  if (error instanceof APIConnectionError) return connectionError(error);
  if (error instanceof APIError) {
    return new ModelClientError(
      codeOf(error.status),
      `the model server refused the call: ${message}`,
      { status: error.status, cause: error },
    );
  }
  if (error instanceof SyntaxError) return badResponse(message, error);
  return connectionError(error);
}

function codeOf(status: number | undefined): ModelClientErrorCode {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) return 'AUTHENTICATION';
  // An error inside a stream has no status of its own.
  if (status === undefined || status >= 500) return 'SERVER';
  return 'BAD_REQUEST';
}

function connectionError(error: unknown): ModelClientError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ModelClientError(
    'CONNECTION',
    `the connection to the model server failed: ${detail}`,
    {
      cause: error,
    },
  );
}
