/** What an error says. */
export interface ErrorParts {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Reads whatever was thrown. */
export function partsOf(error: unknown): ErrorParts {
  try {
    const { name, code, message } = Object(error);
    return {
      name: typeof name === 'string' ? name : 'Error',
      code: typeof code === 'string' ? code : '',
      message: typeof message === 'string' ? message : String(error),
    };
  } catch {
    return { name: 'Error', code: '', message: 'an unprintable error' };
  }
}
