/** Which variables of this process the programs see. */
export type EnvironmentChoice =
  | 'minimal'
  | 'inherit'
  | Readonly<Record<string, string | undefined>>;

/** Directories a program may use as its own. */
export interface PrivateDirectories {
  readonly home: string;
  readonly temporary: string;
}

// What programs need to be found and to print text; none of these holds a secret.
const harmless: readonly string[] = ['PATH', 'LANG', 'LANGUAGE', 'TZ', 'LD_LIBRARY_PATH'];
const harmlessOnWindows: readonly string[] = ['SYSTEMROOT', 'PATHEXT', 'COMSPEC', 'WINDIR'];

/** The environment of a program: by default the harmless variables, a home, and a directory for temporary files. */
export function programEnvironment(
  choice: EnvironmentChoice,
  passed: readonly string[],
  { home, temporary }: PrivateDirectories,
): Readonly<Record<string, string | undefined>> {
  if (choice === 'inherit') return process.env;
  if (choice !== 'minimal') return choice;
  const names = Object.keys(process.env).filter(
    (name) => isHarmless(name) || passed.includes(name),
  );
  return {
    HOME: home,
    USERPROFILE: process.platform === 'win32' ? home : undefined,
    TMPDIR: temporary,
    TEMP: process.platform === 'win32' ? temporary : undefined,
    ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
  };
}

function isHarmless(name: string): boolean {
  if (process.platform === 'win32' && harmlessOnWindows.includes(name.toUpperCase())) return true;
  return harmless.includes(name) || name.startsWith('LC_');
}
