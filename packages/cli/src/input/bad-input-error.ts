/** A path may be longer than anyone reads. */
const SHOWN_LENGTH = 400;

/** An input that cannot be read at all: it is missing, too large, or of no known format. */
export class BadInputError extends Error {
  override readonly name: string = 'BadInputError';
  readonly code = 'BAD_INPUT';
  readonly source: string;

  constructor(source: string, problem: string, options?: ErrorOptions) {
    super(`${source.slice(0, SHOWN_LENGTH) || "''"}: ${problem.slice(0, SHOWN_LENGTH)}`, options);
    this.source = source;
  }
}

/** No format recognises the content, or there is none. */
export class UnknownFormatError extends BadInputError {
  override readonly name = 'UnknownFormatError';

  /** `problem` says why, if that is known; `known` are the ids of the formats that were tried. */
  constructor(source: string, problem: string | undefined, known: readonly string[]) {
    const others = `the known ones are ${known.join(', ')}; --map describes any other`;
    super(source, problem ?? `unknown format: ${others}`);
  }
}
