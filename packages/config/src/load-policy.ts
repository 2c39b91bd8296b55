import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/kit';
import { lilconfigSync } from 'lilconfig';
import { parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { PolicyError } from './policy-error.ts';

const FILE_NAME = 'teamfuse.toml';

/** Options of {@link loadPolicy}. */
export interface LoadOptions {
  /**
   * The folder to search in, and then in the folders above it.
   * @defaultValue the working directory
   */
  readonly cwd?: string | undefined;
  /** The file itself, to be read without a search. */
  readonly path?: string | undefined;
}

const NAMES: OptionNames<LoadOptions> = { cwd: true, path: true };

/**
 * The path of the nearest `teamfuse.toml`, in a folder or above it; `undefined` if there is none.
 * @throws {@link InvalidOptionError} if `cwd` is no path.
 */
export function findPolicy(cwd: string = process.cwd()): string | undefined {
  if (typeof cwd !== 'string') throw new InvalidOptionError('cwd', 'the path of a folder', cwd);
  const search = lilconfigSync('teamfuse', {
    searchPlaces: [FILE_NAME],
    stopDir: resolve('/'),
    loaders: { '.toml': (path) => path },
    ignoreEmptySearchPlaces: false,
  });
  return search.search(resolve(cwd))?.filepath;
}

/**
 * Reads the policy of the nearest `teamfuse.toml`, or of the file at `path`.
 *
 * @throws {@link PolicyError} if there is none, or it is wrong: with file, line, column, key, what was expected and
 *   what was received.
 * @throws {@link InvalidOptionError} if an option does not exist or is no path.
 */
export function loadPolicy(options: LoadOptions = {}): Policy {
  checkNames('', options, NAMES);
  const { cwd, path } = options;
  if (path !== undefined && typeof path !== 'string') {
    throw new InvalidOptionError('path', 'the path of a file', path);
  }
  const file = path ?? findPolicy(cwd);
  if (file === undefined) {
    const expected = `a file ${FILE_NAME} here or in a folder above`;
    throw new PolicyError({ file: resolve(cwd ?? '.'), key: '', expected, received: 'none' });
  }
  return parsePolicy(readText(file), file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    const problem = { file, key: '', expected: 'a readable file', received: code };
    throw new PolicyError(problem, { cause: error });
  }
}
