/**
 * Keeps the first and the last bytes of a stream and counts the rest.
 *
 * Memory stays at `maxBytes` however much is appended, and in however small pieces.
 */
export class BoundedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer | undefined;
  #headBytes = 0;
  /** A ring: the byte after the last one written is the oldest. */
  #tail: Buffer | undefined;
  #tailBytes = 0;

  constructor(maxBytes: number) {
    this.#headLimit = Math.ceil(maxBytes / 2);
    this.#tailLimit = maxBytes - this.#headLimit;
  }

  append(chunk: Buffer): void {
    const room = this.#headLimit - this.#headBytes;
    if (room > 0) {
      this.#head ??= Buffer.allocUnsafe(this.#headLimit);
      this.#headBytes += chunk.copy(this.#head, this.#headBytes, 0, room);
    }
    if (chunk.length > room) this.#appendToTail(chunk.subarray(room));
  }

  /** What is kept, decoded as UTF-8, with a line in the middle that tells how much is missing. */
  text(): string {
    const head = this.#head?.subarray(0, this.#headBytes) ?? Buffer.alloc(0);
    const missing = Math.max(0, this.#tailBytes - this.#tailLimit);
    if (missing === 0) return Buffer.concat([head, this.#tailInOrder()]).toString('utf8');
    const gap = `\n[... ${missing} bytes left out ...]\n`;
    return `${decodeStart(head)}${gap}${decodeEnd(this.#tailInOrder())}`;
  }

  #appendToTail(bytes: Buffer): void {
    if (this.#tailLimit > 0) {
      this.#tail ??= Buffer.allocUnsafe(this.#tailLimit);
      const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailLimit));
      const start = (this.#tailBytes + bytes.length - kept.length) % this.#tailLimit;
      const copied = kept.copy(this.#tail, start);
      kept.copy(this.#tail, 0, copied);
    }
    this.#tailBytes += bytes.length;
  }

  #tailInOrder(): Buffer {
    if (this.#tail === undefined) return Buffer.alloc(0);
    if (this.#tailBytes <= this.#tailLimit) return this.#tail.subarray(0, this.#tailBytes);
    const oldest = this.#tailBytes % this.#tailLimit;
    return Buffer.concat([this.#tail.subarray(oldest), this.#tail.subarray(0, oldest)]);
  }
}

/** Decodes the start of a text that was cut anywhere, without the broken last character. */
function decodeStart(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

/** Decodes the end of a text that was cut anywhere, without the broken first character. */
function decodeEnd(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start).toString('utf8');
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
