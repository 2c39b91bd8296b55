import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BadInputError } from './bad-input-error.ts';
import { fileProblem } from './file-problem.ts';

/** How many bytes are read at a time. */
export const CHUNK_BYTES: number = 256 * 1024;
/** How many bytes a mark at the beginning has. */
const MARK_BYTES = 2;
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
    yield* plain(raw);
  } catch (error) {
    throw new BadInputError(source, fileProblem(error), { cause: error });
  }
}

/** The same bytes, unpacked if they are gzipped, and as UTF-8 if they are marked as UTF-16. */
export async function* plain(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const given = await withFirst(raw);
  const [first, all] = begins(given[0], GZIP) ? await withFirst(unpacked(given[1])) : given;
  const wide = UTF_16.find(({ mark }) => begins(first, mark));
  yield* wide === undefined ? all : inUtf8(all, wide.encoding);
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
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

/** The first bytes, as many as a mark has, and all of them. */
async function withFirst(
  chunks: AsyncIterable<Uint8Array>,
): Promise<[Uint8Array, AsyncIterable<Uint8Array>]> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  while (first.length < MARK_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  return [first, resumed(first, iterator)];
}

/** What was taken of the bytes, and what follows. */
export async function* resumed(
  taken: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (taken.length > 0) yield taken;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
