import { execFileSync } from 'node:child_process';

/** Builds the programs that are started, unless they are up to date. */
export default function buildPrograms(): void {
  const packages = ['cli', 'conformance'].map((name) => `--filter=@teamfuse/${name}`);
  execFileSync('npm', ['run', '--silent', 'build', '--', ...packages], { stdio: 'inherit' });
}
