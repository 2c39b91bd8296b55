import { CodeExecutorError } from './errors.ts';

/** Where options of AutoGen's executors went that have another name here. */
const ADVICE: Readonly<Record<string, string>> = {
  timeout: "it is called 'timeoutMs' here, in milliseconds",
  work_dir: "it is called 'workDir' here",
  cleanup_temp_files: "it is called 'cleanupTempFiles' here",
};

/** The options that every executor has. */
const COMMON = ['workDir', 'timeoutMs', 'maxOutputBytes', 'cleanupTempFiles'];

/** Refuses what is no object, and options that do not exist or are of another kind. @throws {@link CodeExecutorError} */
export function checkOptions(options: object, further: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new CodeExecutorError(
      'INVALID_OPTION',
      `options: expected an object, received ${options}`,
    );
  }
  const known = [...COMMON, ...further];
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const advice = Object.hasOwn(ADVICE, name) ? ADVICE[name] : `there are ${known.join(', ')}`;
    throw new CodeExecutorError('INVALID_OPTION', `there is no option '${name}'; ${advice}`);
  }
  const { workDir, cleanupTempFiles } = options as Readonly<Record<string, unknown>>;
  if (workDir !== undefined && (typeof workDir !== 'string' || workDir === '')) {
    refuse('workDir', 'a text that is not empty', workDir);
  }
  if (cleanupTempFiles !== undefined && typeof cleanupTempFiles !== 'boolean') {
    refuse('cleanupTempFiles', 'true or false', cleanupTempFiles);
  }
}

/** @throws {@link CodeExecutorError} */
export function refuse(option: string, expected: string, received: unknown): never {
  throw new CodeExecutorError(
    'INVALID_OPTION',
    `option '${option}': expected ${expected}, received ${JSON.stringify(received)}`,
  );
}
