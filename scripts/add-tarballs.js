// Adds packages from this folder to the project in the working directory:
//
//   node path/to/tarballs/add.mjs [--with npm|pnpm|yarn] [package …]
//
// The packages need each other, and no registry has them: pnpm and yarn have to be told where they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HERE = dirname(fileURLToPath(import.meta.url));
const SCOPE = '@teamfuse/';
const LOCKFILES = { pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', npm: 'package-lock.json' };

const index = JSON.parse(readFileSync(join(HERE, 'index.json'), 'utf8'));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { with: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(`usage: node ${relative('', join(HERE, 'add.mjs'))} [--with npm|pnpm|yarn] [package …]

Adds packages to the project in the working directory, with all that they need; without names, all of them:
${Object.keys(index).join(', ')}`);
  process.exit();
}
const manager = values.with ?? detected();
if (!(manager in LOCKFILES)) fail(`--with must be npm, pnpm or yarn, got '${manager}'`);
if (!existsSync('package.json'))
  fail('there is no package.json here: run this in your project, after `npm init -y`');

const wanted = positionals.length === 0 ? Object.keys(index) : positionals.map(known);
const places = Object.fromEntries(
  closure(wanted).map((name) => [`${SCOPE}${name}`, `file:${pathTo(index[name].file)}`]),
);
const direct = wanted.map((name) => `${SCOPE}${name}@${places[`${SCOPE}${name}`]}`);

if (manager === 'npm') {
  run('npm', ['install', ...Object.values(places)]);
} else if (manager === 'pnpm') {
  run('pnpm', [
    'config',
    'set',
    '--location=project',
    '--json',
    'overrides',
    JSON.stringify(places),
  ]);
  run('pnpm', ['add', ...direct]);
} else {
  const project = JSON.parse(readFileSync('package.json', 'utf8'));
  project.resolutions = { ...project.resolutions, ...places };
  writeFileSync('package.json', `${JSON.stringify(project, null, 2)}\n`);
  run('yarn', ['add', ...direct]);
}

/** The manager whose lock file is here, or npm. */
function detected() {
  return Object.keys(LOCKFILES).find((name) => existsSync(LOCKFILES[name])) ?? 'npm';
}

function known(given) {
  const name = given.replace(SCOPE, '');
  if (!(name in index))
    fail(`there is no package '${given}': choose from ${Object.keys(index).join(', ')}`);
  return name;
}

/** The packages, and all that they need. */
function closure(names, all = new Set()) {
  for (const name of names) {
    if (all.has(name)) continue;
    all.add(name);
    closure(index[name].needs, all);
  }
  return [...all];
}

function pathTo(file) {
  const path = relative(process.cwd(), join(HERE, file)).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) fail(`${command} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
