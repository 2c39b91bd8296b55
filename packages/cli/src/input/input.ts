import { InvalidOptionError } from '@teamfuse/core';
import type { Block } from './blocks.ts';
import { bytesOf, CHUNK_BYTES } from './bytes.ts';
import { type Head, peek, type Shape } from './head.ts';
import { DEFAULT_LIMITS, type InputLimits } from './limits.ts';
import { jsonIn, type Line, linesOf, type ReportBroken } from './lines.ts';

/** A JSON value of an input, and its line. */
export interface InputValue {
  readonly line: number;
  readonly value: unknown;
}

/** An opened input. It can be read once, by one of its methods. */
export interface Input {
  /** Its path, or `-`. */
  readonly source: string;
  readonly head: Head;
  /** Reports a line that cannot be read; it is skipped. */
  readonly broken: ReportBroken;
  bytes(): AsyncIterable<Uint8Array>;
  /** Its lines, some at a time; blank ones are left out. */
  lines(): AsyncIterable<readonly Line[]>;
  /**
   * Its JSON values, some at a time: one of each line, or the one that the whole input is.
   *
   * @param isInOrder whether those before a broken line are given before it is reported. By default `false`.
   */
  values(isInOrder?: boolean): AsyncIterable<readonly InputValue[]>;
}

/** How an input is opened. */
export interface OpenOptions {
  /** Called for each line that is skipped. */
  readonly broken: ReportBroken;
  readonly limits?: InputLimits;
  /** @defaultValue the file at `source`, or standard input for `-` */
  readonly bytes?: AsyncIterable<Uint8Array>;
}

/**
 * Opens an input and reads its head.
 * @throws {@link BadInputError} when it cannot be read.
 * @throws {@link InvalidOptionError} when the source is no path, or an option is wrong.
 */
export async function openInput(source: string, options: OpenOptions): Promise<Input> {
  // No path of any system holds the character 0.
  if (typeof source !== 'string' || source.includes('\0')) {
    throw new InvalidOptionError('source', 'a path, or -', source);
  }
  if (!isOpenOptions(options)) {
    throw new InvalidOptionError('options', 'an object with a function broken', options);
  }
  const { broken, limits = DEFAULT_LIMITS, bytes = bytesOf(source) } = options;
  const { head, shape, chunks } = await peek(bytes, limits);
  const lines = (): AsyncIterable<readonly Line[]> => linesOf(chunks, limits.maxLineBytes, broken);
  return {
    source,
    head,
    broken,
    bytes: () => chunks,
    lines,
    values: (isInOrder) => valuesOf(shape, lines, broken, isInOrder),
  };
}

/** A block of an input as a separate input, for formats that can be read in blocks. */
export function blockInput(source: string, block: Block, options: OpenOptions): Input {
  const { broken, limits = DEFAULT_LIMITS } = options;
  const lines = (): AsyncIterable<readonly Line[]> =>
    linesOf(chunks(), limits.maxLineBytes, broken, block.firstLine);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const { bytes } = block;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield bytes.subarray(at, at + CHUNK_BYTES);
    }
  }
  return {
    source,
    head: { bytes: block.bytes, text: '', values: [] },
    broken,
    bytes: chunks,
    lines,
    values: (isInOrder) => valuesOf({ kind: 'lines' }, lines, broken, isInOrder),
  };
}

async function* valuesOf(
  shape: Shape,
  lines: () => AsyncIterable<readonly Line[]>,
  broken: ReportBroken,
  isInOrder = false,
): AsyncGenerator<readonly InputValue[]> {
  if (shape.kind === 'document') {
    yield [{ line: 1, value: shape.value }];
    return;
  }
  for await (const batch of lines()) {
    let values: InputValue[] = [];
    for (const { number, text } of batch) {
      try {
        values.push({ line: number, value: jsonIn(text) });
      } catch (error) {
        if (isInOrder) {
          yield values;
          values = [];
        }
        broken(number, error instanceof Error ? error.message : String(error));
      }
    }
    yield values;
  }
}

function isOpenOptions(value: unknown): boolean {
  try {
    return typeof (value as OpenOptions).broken === 'function';
  } catch {
    return false;
  }
}
