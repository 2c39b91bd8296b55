import type { Bytes } from './bytes.ts';

/** A response with a body that takes the place of its own. */
export function copyOf(
  { status, statusText, headers, url }: Response,
  body: Bytes | ReadableStream,
): Response {
  const copy = new Response(body, { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: url });
  return copy;
}
