// Runs every example but the demo, which has a command of its own, or those that are named. Each asserts its own last line.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
// Those in TypeScript are built, by `npm run build`.
const mainOf = (name) =>
  [`${folder}${name}/dist/main.js`, `${folder}${name}/main.js`].find((file) => existsSync(file));
const wanted = process.argv.slice(2);
const all = readdirSync(folder).filter(
  (name) => name !== 'runaways' && existsSync(`${folder}${name}/package.json`),
);
const names = all.filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) console.error(`expected one of ${all.join(', ')}`);

let failed = 0;
for (const name of names) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [mainOf(name) ?? `${name} is not built`],
    {
      encoding: 'utf8',
      timeout: 180_000,
    },
  );
  const last = stdout.trimEnd().split('\n').at(-1);
  const summary = `${status === 0 ? 'ok    ' : 'FAILED'} ${name}: ${last}`;
  console.log(wanted.length > 0 ? stdout.trimEnd() : summary);
  if (status !== 0) {
    failed++;
    console.error(stderr);
  }
}
process.exitCode = failed === 0 && names.length > 0 ? 0 : 1;
