import { PolicyError, parsePolicy } from '../../src/index.ts';

/** The error with which a text is refused. */
export function refusalOf(text: string): PolicyError {
  try {
    parsePolicy(text, 'teamfuse.toml');
  } catch (error) {
    if (error instanceof PolicyError) return error;
    throw error;
  }
  throw new Error('the text is taken');
}
