import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BadInputError } from './bad-input-error.ts';
import { fileProblem } from './file-problem.ts';

/** How many bytes are read at a time. */
export const CHUNK_BYTES: number = 256 * 1024;
const GZIP = [0x1f, 0x8b];

/** The bytes of a file, or of standard input for `-`, unpacked if they are gzipped. */
export async function* bytesOf(source: string): AsyncGenerator<Uint8Array> {
  const raw: AsyncIterable<Uint8Array> =
    source === '-' ? process.stdin : createReadStream(source, { highWaterMark: CHUNK_BYTES });
  try {
    const [first, all] = await withFirst(raw);
    const isGzip = GZIP.every((byte, i) => first?.[i] === byte);
    yield* isGzip ? unpacked(all) : all;
  } catch (error) {
    throw new BadInputError(source, fileProblem(error), { cause: error });
  }
}

function unpacked(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const packed = Readable.from(chunks, { objectMode: false });
  // The reader gets errors; the file is closed even if it is not read to its end.
  return pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), () => {});
}

async function withFirst(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[Uint8Array | undefined, AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return [first.done ? undefined : first.value, resumed(first, iterator)];
}

async function* resumed(
  first: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
