import type { Check } from './check.ts';

const OLDEST = [20, 19] as const;
/** From this one on Node has SQLite, which some stores need. */
const WITH_SQLITE = [22, 13] as const;

/** Checks the version of Node, such as `20.19.0`. */
export function checkNode(version: string): Check {
  const name = 'Node';
  if (!isAtLeast(version, OLDEST)) {
    const advice = `install Node ${OLDEST.join('.')} or later`;
    return { name, status: 'fail', found: version, advice };
  }
  const found = isAtLeast(version, WITH_SQLITE)
    ? version
    : `${version}, without SQLite stores (from ${WITH_SQLITE.join('.')} on)`;
  return { name, status: 'ok', found };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [givenMajor = 0, givenMinor = 0] = version.split('.').map(Number);
  return givenMajor > major || (givenMajor === major && givenMinor >= minor);
}
