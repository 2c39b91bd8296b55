import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames } from '@teamfuse/core/options';
import { MAX_LENGTH, parsePolicy } from './parse-policy.ts';
import type { Policy } from './policy.ts';
import { PolicyError } from './policy-error.ts';

const FILE_NAME = 'teamfuse.toml';
/** No character has more bytes than four. */
const MAX_BYTES = 4 * MAX_LENGTH;

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
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, FILE_NAME);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Reads the policy of the nearest `teamfuse.toml`, or of the file at `path`.
 *
 * @throws {@link PolicyError} if there is none, it is no file or has more than 100,000 characters, or it is wrong: with file, line, column, key, what was expected and
 *   what was received.
 * @throws {@link InvalidOptionError} if an option does not exist or is no path.
 */
export function loadPolicy(options: LoadOptions = {}): Policy {
  checkNames('', options, NAMES);
  const { cwd, path } = options;
  if (path !== undefined && (typeof path !== 'string' || path === '')) {
    throw new InvalidOptionError('path', 'the path of a file', path);
  }
  const file = path ?? findPolicy(cwd);
  if (file === undefined) {
    const expected = `a file ${FILE_NAME} here or in a folder above`;
    throw new PolicyError({ file: resolve(cwd ?? '.'), key: '', expected, received: 'none' });
  }
  return parsePolicy(readText(file), file);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'none',
  EACCES: 'one that you may not read',
  EPERM: 'one that you may not read',
  ELOOP: 'a link to itself',
};

function readText(file: string): string {
  const unread = (expected: string, received: string, cause?: unknown): PolicyError =>
    new PolicyError({ file, key: '', expected, received }, { cause });
  let opened: number | undefined;
  try {
    // Without waiting for somebody who writes to a pipe.
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(opened);
    if (!stats.isFile()) throw unread('a readable file', kindOf(stats));
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(opened, bytes);
    if (length < bytes.length) return bytes.toString('utf8', 0, length);
    throw unread(`at most ${MAX_LENGTH} characters`, `${stats.size} bytes`);
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw unread('a readable file', UNREADABLE[code] ?? code, error);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  return stats.isFIFO() ? 'a pipe' : 'a device';
}
