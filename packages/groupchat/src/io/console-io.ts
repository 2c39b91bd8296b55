import type { IOStream } from './io-stream.ts';
import { StreamIO } from './stream-io.ts';

/** Prints to standard output, without colours where that is no terminal, and asks on standard input. */
export const consoleIO: IOStream = new StreamIO(
  () => process.stdin,
  () => process.stdout,
);
