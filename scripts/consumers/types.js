import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../registry.js';
import { NAMES } from './project.js';
import { report } from './report.js';

/** The oldest that is promised, the last of each later line, and the newest. */
export const TYPESCRIPTS = ['5.4.5', '5.9.3', '6.0.3', '7.0.2'];
export const [OLDEST, NEWEST] = [TYPESCRIPTS[0], TYPESCRIPTS.at(-1)];

/** Since when CommonJS modules may `require` the packages, by the option `module`, as docs/guides/typescript.md says. */
const REQUIRED_SINCE = { node16: 'never', nodenext: '5.8', node20: '5.9', commonjs: '6.0' };
/** With the last that does not know that Node can require ES modules, and the first that does. */
export const COMMONJS_TYPESCRIPTS = [...TYPESCRIPTS, '5.7.3', '5.8.3'];

const TEN_MINUTES = 600_000;
const NODENEXT = { module: 'nodenext' };
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler', noEmit: true };
const MODULES = ['entry-points.ts', 'team.ts', 'traffic.ts'];
/** Its console reads and writes streams of Node. */
const NEEDS_NODE = ['groupchat'];

/** Writes modules that import every path of the packages, and with them all types that users can reach. */
export function writeEntryPoints(project) {
  write('entry-points.ts', NAMES);
  const others = NAMES.filter((name) => !NEEDS_NODE.includes(name));
  write('without-node.ts', others);

  function write(file, names) {
    const paths = names.flatMap((name) => pathsOf(project, name));
    const lines = paths.map((path, at) => `export * as path${at} from '${path}';\n`);
    writeFileSync(join(project, file), lines.join(''));
  }
}

function pathsOf(project, name) {
  const manifest = join(project, 'node_modules/@teamfuse', name, 'package.json');
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path]) => `@teamfuse/${name}${path.slice(1)}`);
}

/** Compiles all programs with one version, so that what they import is checked too. */
export function compileAll(what, project, version, tsc, isBundled = true) {
  const required = isSince(version, REQUIRED_SINCE.nodenext) ? ['chat.cts'] : [];
  const files = [...MODULES, 'lazy.cts', ...required];
  report(`${what}, NodeNext`, compile(project, tsc, NODENEXT, files));
  if (isBundled) report(`${what}, Bundler`, compile(project, tsc, BUNDLER, MODULES));
}

export function compileWithoutNode(what, project, tsc) {
  const options = { ...NODENEXT, noEmit: true, types: [] };
  report(`${what}, without the types of Node`, compile(project, tsc, options, ['without-node.ts']));
}

/** Compiles a CommonJS module with each `module`, also with those that must refuse it. */
export function compileCommonJs(project, version, tsc) {
  for (const [module, since] of Object.entries(REQUIRED_SINCE)) {
    const compiled = compile(project, tsc, { module, noEmit: true }, ['chat.cts']);
    const isRefused = !isSince(version, since);
    const status = isRefused ? Number(compiled.status === 0) : compiled.status;
    const what = `npm: TypeScript ${version}, CommonJS, ${module}${isRefused ? ' is refused' : ''}`;
    report(what, { ...compiled, status }, isRefused ? /error TS/ : undefined);
  }
  const lazy = compile(project, tsc, { module: 'node16', noEmit: true }, ['lazy.cts']);
  report(`npm: TypeScript ${version}, CommonJS, node16 with import()`, lazy);
}

/** Compiles as users do who have the types of all packages checked. */
export function compile(project, tsc, options, files) {
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    ...options,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [tsc, '-p', '.'], project, process.env, TEN_MINUTES);
}

function isSince(version, since) {
  return since !== 'never' && version.localeCompare(since, undefined, { numeric: true }) >= 0;
}
