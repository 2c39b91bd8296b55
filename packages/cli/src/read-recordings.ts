import type { Format, Recording } from './formats/format.ts';
import { FORMATS } from './formats/index.ts';
import { UnknownFormatError } from './input/bad-input-error.ts';
import type { Head } from './input/head.ts';
import { type OpenOptions, openInput } from './input/input.ts';

/** How recordings are read. */
export interface ReadOptions extends OpenOptions {
  /**
   * The format, if it is known.
   * @defaultValue the first that recognises the content
   */
  readonly format?: Format | undefined;
  /** The format of a content that no format recognises. @defaultValue none */
  readonly fallback?: Format | undefined;
}

/**
 * Reads the recordings in a file, whatever their format.
 *
 * @param source a path, or `-` for standard input.
 * @throws {@link BadInputError} when the file cannot be read or is of no known format. What was read before stays read.
 */
export async function* readRecordings(
  source: string,
  options: ReadOptions,
): AsyncGenerator<Recording> {
  const input = await openInput(source, options);
  const format = options.format ?? recognise(input.head) ?? options.fallback;
  if (format === undefined) {
    const known = FORMATS.map(({ id }) => id);
    throw new UnknownFormatError(source, input.head.problem, known);
  }
  yield* format.read(input);
}

/** The format of an input that begins like this. */
export function recognise(head: Head): Format | undefined {
  return FORMATS.find((format) => format.recognise(head));
}
