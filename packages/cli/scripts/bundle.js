// Puts what `src/vendor` takes from other packages into `dist/vendor`, with their licences: whoever installs the command
// line gets the parts that run, not the packages.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const SOURCES = fileURLToPath(new URL('../src/vendor/', import.meta.url));
const VENDOR = fileURLToPath(new URL('../dist/vendor/', import.meta.url));
/** For Node, rxjs names files of which all is kept, used or not; only what asks for modules of Node is built for it. */
const BUNDLED = { charts: 'neutral', markup: 'neutral', prometheus: 'node', streams: 'neutral' };
/** Nobody reads the bundles in a debugger; but the compiler builds all anew while one of its files is missing. */
const NO_MAP = '{"version":3,"sources":[],"names":[],"mappings":""}';
const LEGAL = /^(licen[cs]e|notice|copyright|authors)/i;

const folders = new Set();
for (const [name, platform] of Object.entries(BUNDLED)) {
  const file = join(VENDOR, `${name}.js`);
  const { output } = await build({
    input: join(SOURCES, `${name}.ts`),
    platform,
    resolve: { conditionNames: ['es2015', 'import', 'default'], mainFields: ['module', 'main'] },
    external: ['@teamfuse/core'],
    output: { file, minify: true, codeSplitting: false },
    logLevel: 'warn',
  });
  for (const path of output.flatMap(({ moduleIds = [] }) => moduleIds)) {
    if (path.includes('/node_modules/')) folders.add(packageOf(path));
  }
  writeFileSync(`${file}.map`, NO_MAP);
}

// The SQLite of sql.js looks for its other half in the folder that it is in itself.
const sqlite = dirname(createRequire(import.meta.url).resolve('sql.js'));
copyFileSync(join(sqlite, 'sql-wasm.js'), join(VENDOR, 'sql-wasm.cjs'));
copyFileSync(join(sqlite, 'sql-wasm.wasm'), join(VENDOR, 'sql-wasm.wasm'));
writeFileSync(join(VENDOR, 'sqlite.js.map'), NO_MAP);
writeFileSync(join(VENDOR, 'sqlite.js'), "export { default } from './sql-wasm.cjs';\n");
folders.add(packageOf(sqlite));

const texts = [...folders].map(legalTextOf).sort();
writeFileSync(join(VENDOR, 'LICENSES.txt'), texts.join(`\n${'='.repeat(80)}\n\n`));

/** The folder of the package that a file is part of. */
function packageOf(path) {
  const folder = dirname(path);
  return existsSync(join(folder, 'package.json')) && manifestOf(folder).name !== undefined
    ? folder
    : packageOf(folder);
}

/** Everything that a package says about who may use it. */
function legalTextOf(folder) {
  const { name, version, license } = manifestOf(folder);
  const files = [folder, join(folder, 'licenses')]
    .filter((place) => existsSync(place))
    .flatMap((place) => readdirSync(place, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && LEGAL.test(entry.name));
  if (files.length === 0) throw new Error(`${name} has no licence to hand on`);
  const parts = files.map(({ parentPath, name: file }) =>
    readFileSync(join(parentPath, file), 'utf8').trim(),
  );
  return `${name} ${version} (${license})\n\n${parts.join('\n\n')}\n`;
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
