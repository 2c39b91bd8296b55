import type { IOStream } from './io-stream.ts';
import { StreamIO } from './stream-io.ts';

/** Prints to standard output, with colours only on a terminal, and reads from standard input. */
export const consoleIO: IOStream = new StreamIO(
  () => process.stdin,
  () => process.stdout,
);
