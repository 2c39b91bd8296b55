import { once } from 'node:events';
import type { Writable } from 'node:stream';

const BUFFER_CHARS = 64 * 1024;

/** Writes lines at the pace of who reads them. A reader that has gone away is no error: `isClosed` says so. */
export class LineWriter {
  readonly #stream: Writable;
  readonly #limit: number;
  #text = '';
  #isClosed = false;

  constructor(stream: Writable, isInteractive: boolean) {
    this.#stream = stream;
    this.#limit = isInteractive ? 0 : BUFFER_CHARS;
    stream.on('error', () => {
      this.#isClosed = true;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  async line(text: string): Promise<void> {
    this.#text += `${text}\n`;
    if (this.#text.length > this.#limit) await this.flush();
  }

  /** Writes a line, however slow its reader is. */
  lineAtOnce(text: string): void {
    this.#text += `${text}\n`;
    this.#send();
  }

  async flush(): Promise<void> {
    if (this.#send()) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    const drained = once(this.#stream, 'drain', { signal });
    // A reader that goes away while it is waited for ends the wait as well.
    const closed = once(this.#stream, 'close', { signal });
    await Promise.race([drained, closed]).catch(() => {});
    // Removes both listeners, or they would pile up with a slow reader.
    waiting.abort();
  }

  /** Whether more can be written at once. */
  #send(): boolean {
    const text = this.#text;
    this.#text = '';
    return text === '' || this.#isClosed || this.#stream.write(text);
  }
}
