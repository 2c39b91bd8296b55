const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'expected a file, received a directory',
  ENOTDIR: 'a part of its path is a file, not a directory',
  ENOSPC: 'no space left on the disk',
  ESPIPE: 'expected a file, received a pipe',
  EEXIST: 'the file exists; --force overwrites it',
};

/** What went wrong with a file, without the name of the system call. */
export function fileProblem(error: unknown): string {
  const { code, message } = Object(error) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  const known = typeof code === 'string' && Object.hasOwn(PROBLEMS, code) && PROBLEMS[code];
  return known || (typeof message === 'string' ? message : String(error));
}
