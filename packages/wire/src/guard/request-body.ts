import type { Bytes } from './bytes.ts';
import { MAX_BODY_BYTES, readWhole } from './read-whole.ts';
import { unpacked } from './unpack.ts';

/** The body of a request that was read, as far as it is no longer than can be. */
export type Body = string | Bytes | ReadableStream<Bytes>;

/** Reads a body. One that is too long is a stream of all that it holds. */
export async function readBody(given: RequestInit['body']): Promise<Body> {
  if (given === null || given === undefined) return '';
  if (typeof given === 'string') return given;
  if (given instanceof ArrayBuffer) return new Uint8Array(given);
  if (ArrayBuffer.isView(given)) {
    return new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  }
  const { body } = new Response(given);
  const read = await readWhole(body as ReadableStream<Bytes>);
  if ('error' in read) throw read.error;
  return 'bytes' in read ? read.bytes : read.stream;
}

/**
 * What a body says.
 *
 * @throws Error for one that is too long or compressed in a way that cannot be read.
 */
export async function textIn(body: Body, encoding: string | null): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof ReadableStream) {
    throw new Error(`its body is longer than ${MAX_BODY_BYTES / 2 ** 20} MB`);
  }
  return new TextDecoder().decode(await unpacked(body, encoding));
}
