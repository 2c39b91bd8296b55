import { styleText } from 'node:util';

/** The colour a line is printed in. */
export type PrintStyle = 'yellow' | 'green' | 'red' | 'magenta' | 'blue';

/** How a person is asked. */
export interface InputOptions {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Prints the output of agents and asks people. */
export interface IOStream {
  /** Prints a line; it may be coloured. */
  print(text: string): void;
  /** Warns of a likely mistake in the set-up of agents. */
  warn(text: string): void;
  /** Asks a person. An input that throws `KeyboardInterrupt` hands the turn of a group to its admin. */
  input(prompt: string, options?: InputOptions): Promise<string>;
}

/** Colours text for a terminal. */
export function coloured(style: PrintStyle, text: string): string {
  return styleText(style, text);
}
