const INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[K';

/** One line that says how far a replay is; nothing where it goes into a pipe. */
export class Progress {
  readonly #stream: NodeJS.WriteStream | undefined;
  #shownAt = 0;

  constructor(stream: NodeJS.WriteStream, isWanted: boolean) {
    this.#stream = isWanted && stream.isTTY ? stream : undefined;
  }

  show(text: string): void {
    const now = performance.now();
    if (this.#stream === undefined || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    this.#stream.write(`${CLEAR_LINE}${text}`);
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#shownAt === 0) return;
    this.#shownAt = 0;
    this.#stream?.write(CLEAR_LINE);
  }
}
