import { createInterface } from 'node:readline/promises';

/** Information about the request besides the prompt. */
export interface UserInputOptions {
  /** Aborted when the turn is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the request; the UserInputRequestedEvent in the stream carries the same. */
  readonly requestId: string;
}

/** Asks a person. */
export type InputFunc = (prompt: string, options: UserInputOptions) => string | Promise<string>;

/** Asks the user at the terminal. */
export async function readLine(prompt: string, { signal }: UserInputOptions): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(prompt, signal === undefined ? {} : { signal });
  } finally {
    terminal.close();
  }
}
