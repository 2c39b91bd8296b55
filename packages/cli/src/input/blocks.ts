/** Whole lines of an input in one piece. */
export interface Block {
  /** The number of its first line, from 1. */
  readonly firstLine: number;
  /** In memory of its own, so that it can be handed to another thread. */
  readonly bytes: Uint8Array;
}

const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * Cuts bytes into blocks at ends of lines. Of a line of more than `maxLineBytes` one byte more than that is kept, so that
 * whoever reads the block finds it too long.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
  blockBytes: number = BLOCK_BYTES,
): AsyncGenerator<Block> {
  let firstLine = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  /** The line that has not ended. */
  let open: Uint8Array[] = [];
  let openSize = 0;
  const hold = (bytes: Uint8Array): void => {
    const kept = bytes.subarray(0, Math.max(0, maxLineBytes + 1 - openSize));
    if (kept.length > 0) open.push(kept);
    openSize += kept.length;
  };
  const close = (bytes: Uint8Array): void => {
    parts.push(...open, bytes);
    size += openSize + bytes.length;
    open = [];
    openSize = 0;
  };
  const cut = (): Block => {
    const block = { firstLine, bytes: joined(parts, size) };
    firstLine += newlinesIn(block.bytes);
    parts = [];
    size = 0;
    return block;
  };
  try {
    for await (const chunk of chunks) {
      const first = chunk.indexOf(NEWLINE);
      if (first < 0) {
        hold(chunk);
        continue;
      }
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      hold(chunk.subarray(0, first));
      close(chunk.subarray(first, end));
      if (size >= blockBytes) yield cut();
      hold(chunk.subarray(end));
    }
  } catch (error) {
    // The lines before the place where the input breaks off count.
    if (size > 0) yield cut();
    throw error;
  }
  close(new Uint8Array());
  if (size > 0) yield cut();
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
