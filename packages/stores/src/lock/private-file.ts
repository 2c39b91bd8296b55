import { closeSync, constants, fchmodSync, fstatSync, openSync, readFileSync } from 'node:fs';

const MODE = 0o600;
const OTHERS = 0o077;
/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Opens a regular file that its owner alone may read: a new one is made so, and an existing one is changed. What a symbolic link
 * leads to is not opened: whoever may write to the directory could have put it there.
 *
 * @param flags as for `open(2)`
 * @throws what the file system says, and Error for a link or anything that is no regular file.
 */
export function openPrivate(path: string, flags: number): number {
  const handle = openOwn(path, flags);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error(`${path}: expected a regular file`);
    if ((stats.mode & OTHERS) !== 0) fchmodSync(handle, MODE);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** The text of a file that {@link openPrivate} opens. */
export function readPrivate(path: string): string {
  const handle = openPrivate(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function openOwn(path: string, flags: number): number {
  try {
    return openSync(path, flags | NO_FOLLOW, MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new Error(`${path}: expected a file, received a symbolic link`, { cause: error });
  }
}
