import { APIError, OpenAI } from 'openai';

/** A client of the library, which reads no error but in a field `error`. vLLM and others leave that out. */
export class OpenAIConnection extends OpenAI {
  protected override makeStatusError(
    status: number,
    body: object | undefined,
    message: string | undefined,
    headers: Headers,
  ): APIError {
    return super.makeStatusError(status, { error: errorIn(body) ?? body }, message, headers);
  }
}

/** Throws what a server sends as an error with a status of success. */
export function throwIfError(answer: unknown, headers?: Headers): void {
  const error = errorIn(answer);
  if (error !== undefined) throw new APIError(undefined, error, undefined, headers);
}

function errorIn(body: unknown): object | undefined {
  const { error } = Object(body);
  if (typeof error === 'string' && error !== '') return { message: error };
  return typeof error === 'object' && error !== null ? error : undefined;
}
