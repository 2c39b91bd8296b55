const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'expected a file, received a directory',
  ENOTDIR: 'expected a directory before it, received a file',
  EEXIST: 'is there already: --force writes over it',
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
