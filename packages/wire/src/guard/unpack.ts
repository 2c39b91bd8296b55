import { type CheckedBounds, tooLong } from './bounds.ts';
import type { Bytes } from './bytes.ts';

type Zlib = typeof import('node:zlib');
type Unpack = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, content: Uint8Array) => void,
) => void;

/** Who packs more often has something to hide. */
const MAX_LAYERS = 2;

/**
 * The bytes of a body as they were before they were compressed.
 *
 * @throws CallerMistake for a body that holds too much. Error for a compression that is not known here, and for a body that does
 * not keep to it.
 */
export async function unpacked(
  bytes: Bytes,
  encoding: string | null,
  bounds: CheckedBounds,
): Promise<Uint8Array> {
  const layers = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (layers.length === 0) return bytes;
  if (layers.length > MAX_LAYERS) throw unreadable(`it is packed ${layers.length} times`);
  const zlib = await import('node:zlib');
  let content: Uint8Array = bytes;
  for (const layer of layers.reverse()) content = await unpack(zlib, layer, content, bounds);
  return content;
}

function unpack(
  zlib: Zlib,
  layer: string,
  bytes: Uint8Array,
  bounds: CheckedBounds,
): Promise<Uint8Array> {
  // Zstandard came with Node 22.15.
  const { unzip, brotliDecompress, zstdDecompress } = zlib as Zlib & { zstdDecompress?: Unpack };
  const readers: Readonly<Record<string, Unpack | undefined>> = {
    gzip: unzip,
    'x-gzip': unzip,
    deflate: unzip,
    br: brotliDecompress,
    zstd: zstdDecompress,
  };
  const read = Object.hasOwn(readers, layer) ? readers[layer] : undefined;
  if (read === undefined) throw unreadable(`'${layer}' is not known here`);
  return new Promise((resolve, reject) => {
    read(bytes, { maxOutputLength: bounds.maxBytes }, (error, content) => {
      if (error) reject(isTooLarge(error) ? tooLong(bounds) : unreadable(error.message));
      else resolve(content);
    });
  });
}

function isTooLarge(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_BUFFER_TOO_LARGE';
}

function unreadable(reason: string): Error {
  return new Error(`its compressed body cannot be read: ${reason}`);
}
