import { type CheckedBounds, tooLong } from './bounds.ts';
import type { Bytes } from './bytes.ts';
import { readWhole } from './read-whole.ts';
import { unpacked } from './unpack.ts';

/** The body of a request that was read, as far as it is no longer than can be. */
export type Body = string | Bytes | ReadableStream<Bytes>;

/** Reads a body. A stream that is too long stays one, of all that it holds. */
export async function readBody(given: RequestInit['body'], maxBytes: number): Promise<Body> {
  if (given === null || given === undefined) return '';
  if (typeof given === 'string') return given;
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  if (ArrayBuffer.isView(given)) {
    return new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  }
  const { body } = new Response(given);
  const read = await readWhole(body as ReadableStream<Bytes>, maxBytes);
  if ('error' in read) throw read.error;
  return 'bytes' in read ? read.bytes : read.stream;
}

/**
 * What a body says.
 *
 * @throws CallerMistake for one that is too long. Error for one that is compressed in a way that cannot be read.
 */
export async function textIn(
  body: Body,
  encoding: string | null,
  bounds: CheckedBounds,
): Promise<string> {
  if (body instanceof ReadableStream || body.length > bounds.maxBytes) throw tooLong(bounds);
  if (typeof body === 'string') return body;
  return new TextDecoder().decode(await unpacked(body, encoding, bounds));
}
