import { execFileSync } from 'node:child_process';

/** Builds the programs that are started, unless they are up to date. */
export default function buildPrograms(): void {
  execFileSync(process.execPath, ['scripts/build.js', 'cli', 'conformance'], { stdio: 'inherit' });
}
