/** An input that cannot be read at all: it is missing, too large, or of no known format. */
export class BadInputError extends Error {
  override readonly name: string = 'BadInputError';
  readonly code = 'BAD_INPUT';
  readonly source: string;

  constructor(source: string, problem: string, options?: ErrorOptions) {
    super(`${source}: ${problem}`, options);
    this.source = source;
  }
}

/** No format recognises the content. */
export class UnknownFormatError extends BadInputError {
  override readonly name = 'UnknownFormatError';

  constructor(source: string) {
    super(source, 'expected a recording of a known format, or a map of this one (--map)');
  }
}
