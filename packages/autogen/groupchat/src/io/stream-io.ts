import { createInterface, type Interface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { GroupChatError, KeyboardInterrupt } from '../errors.ts';
import type { InputOptions, IOStream } from './io-stream.ts';

/** The output of {@link StreamIO}. */
export interface TextOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}

/** Prints to one stream and asks on another; lines that arrive before a question are kept. */
export class StreamIO implements IOStream {
  readonly #openInput: () => NodeJS.ReadableStream;
  readonly #openOutput: () => TextOutput;
  #reader: LineReader | undefined;

  /** The streams are opened when they are first used. */
  constructor(input: () => NodeJS.ReadableStream, output: () => TextOutput) {
    this.#openInput = input;
    this.#openOutput = output;
  }

  print(text: string): void {
    this.#write(`${text}\n`);
  }

  warn(text: string): void {
    process.emitWarning(text);
  }

  async input(prompt: string, { signal }: InputOptions = {}): Promise<string> {
    this.#write(prompt);
    this.#reader ??= new LineReader(this.#openInput());
    return this.#reader.next(signal);
  }

  #write(text: string): void {
    const output = this.#openOutput();
    output.write(output.isTTY ? text : stripVTControlCharacters(text));
  }
}

interface Question {
  readonly resolve: (line: string) => void;
  readonly reject: (reason: Error) => void;
}

class LineReader {
  readonly #terminal: Interface;
  readonly #lines: string[] = [];
  #question: Question | undefined;
  #isOver = false;

  constructor(input: NodeJS.ReadableStream) {
    this.#terminal = createInterface({ input });
    this.#terminal.on('line', (line) => this.#take(line));
    this.#terminal.on('SIGINT', () => this.#fail(new KeyboardInterrupt()));
    this.#terminal.on('close', () => {
      this.#isOver = true;
      this.#fail(inputEnded());
    });
  }

  next(signal?: AbortSignal): Promise<string> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve(line);
    if (this.#isOver) return Promise.reject(inputEnded());
    const answer = new Promise<string>((resolve, reject) => {
      this.#question = { resolve, reject };
      this.#terminal.resume();
    });
    const leave = (): void => this.#fail(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', leave));
  }

  #take(line: string): void {
    const question = this.#question;
    if (!question) {
      this.#lines.push(line);
      return;
    }
    this.#rest();
    question.resolve(line);
  }

  #fail(reason: Error): void {
    const question = this.#question;
    if (!question) return;
    this.#rest();
    question.reject(reason);
  }

  // The input must not keep the process alive while no question is open.
  #rest(): void {
    this.#question = undefined;
    if (!this.#isOver) this.#terminal.pause();
  }
}

function inputEnded(): GroupChatError {
  return new GroupChatError('INPUT_ENDED', 'a person was asked, but the input has ended.');
}
