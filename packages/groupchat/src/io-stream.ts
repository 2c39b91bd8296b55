import { createInterface } from 'node:readline/promises';
import { stripVTControlCharacters, styleText } from 'node:util';
import { KeyboardInterrupt } from './errors.ts';

/** The colour a line is printed in. */
export type PrintStyle = 'yellow' | 'green' | 'red' | 'magenta' | 'blue';

/** Where agents print what they do and ask people. */
export interface IOStream {
  print(text: string): void;
  /** Says what may be a mistake of whoever set the agents up. */
  warn(text: string): void;
  input(prompt: string): Promise<string>;
}

/** Prints to standard output, warns as Node does, and asks on standard input. */
export const consoleIO: IOStream = {
  print(text) {
    process.stdout.write(`${process.stdout.isTTY ? text : stripVTControlCharacters(text)}\n`);
  },
  warn(text) {
    process.emitWarning(text);
  },
  async input(prompt) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const interrupted = new Promise<never>((_resolve, reject) => {
      terminal.once('SIGINT', () => reject(new KeyboardInterrupt()));
    });
    try {
      return await Promise.race([terminal.question(prompt), interrupted]);
    } finally {
      terminal.close();
    }
  },
};

/** Colours text; {@link consoleIO} drops the colour where there is no terminal. */
export function coloured(style: PrintStyle, text: string): string {
  return styleText(style, text);
}
