import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BadInputError } from './bad-input-error.ts';
import { fileProblem } from './file-problem.ts';

/** How many bytes are read at a time. */
export const CHUNK_BYTES: number = 256 * 1024;
const GZIP = [0x1f, 0x8b];
/** The marks at the beginning of UTF-16, as PowerShell writes it for `>`. */
const UTF_16 = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
];

/** The bytes of a file, or of standard input for `-`: unpacked if they are gzipped, and as UTF-8 if they are marked as UTF-16. */
export async function* bytesOf(source: string): AsyncGenerator<Uint8Array> {
  const raw: AsyncIterable<Uint8Array> =
    source === '-' ? process.stdin : createReadStream(source, { highWaterMark: CHUNK_BYTES });
  try {
    const [first, all] = await withFirst(raw);
    const begins = (bytes: readonly number[]): boolean =>
      bytes.every((byte, i) => first?.[i] === byte);
    const wide = UTF_16.find(({ mark }) => begins(mark));
    if (wide !== undefined) yield* inUtf8(all, wide.encoding);
    else yield* begins(GZIP) ? unpacked(all) : all;
  } catch (error) {
    throw new BadInputError(source, fileProblem(error), { cause: error });
  }
}

async function* inUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
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
