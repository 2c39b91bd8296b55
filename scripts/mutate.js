// Mutation tests, package by package: `npm run mutate`, or of some files: `npm run mutate -- --mutate '<glob>'`.

import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ROOMS } from './mutation-rooms.js';

const options = process.argv.slice(2);
const globs = options[options.indexOf('--mutate') + 1] ?? '';
const [, named] = /packages\/([\w-]+)\//.exec(globs) ?? [];
if (named !== undefined && !(named in ROOMS)) throw new Error(`there are no rooms in '${named}'`);

for (const name of named === undefined ? Object.keys(ROOMS) : [named]) {
  console.log(`\n${name}`);
  const env = { ...process.env, MUTATED_PACKAGE: name };
  const { status } = spawnSync('stryker', ['run', 'test/configs/stryker.config.js', ...options], {
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
