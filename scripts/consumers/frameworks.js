import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { add, FRAMEWORK_ADAPTERS, newProject, PROGRAMS } from './project.js';
import { report } from './report.js';
import { compile } from './types.js';

const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url));
const PROGRAM = 'frameworks.ts';
/** The packages whose dev dependencies pin the frameworks. */
const PINNED_BY = [...FRAMEWORK_ADAPTERS, 'wire'];
/** A package that the program imports. */
const IMPORT = /from '((?:@[^/']+\/)?[^/']+)/g;
/** An error of the compiler, and the package whose file it is in. */
const ERROR = /^(?:.*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/)?.*\berror TS/gm;

/** Compiles guards on the objects of all frameworks. Errors in their own types are counted, and any other one fails. */
export function frameworks(work, compilers) {
  const project = join(work, 'frameworks');
  newProject(project, { '@types/node': '20.19.43', ...versions() });
  if (!report('with all frameworks: install', add(work, project))) return;
  for (const [version, tsc] of Object.entries(compilers)) {
    const options = { module: 'nodenext', noEmit: true };
    const { output, ...compiled } = compile(project, tsc, options, [PROGRAM]);
    const counts = errorsIn(output);
    const isOurs = [...counts.keys()].some((owner) => /^(the program|@teamfuse\/.*)$/.test(owner));
    const theirs = [...counts].map(([owner, count]) => `${count} in ${owner}`).join(', ');
    const what = `with all frameworks: TypeScript ${version}; errors: ${theirs || 'none'}`;
    const status = counts.size === 0 ? compiled.status : Number(isOurs);
    report(what, { ...compiled, output, status });
  }
}

/** What the program imports from the registry, in the versions that our packages are tested with. */
function versions() {
  const pinned = PINNED_BY.map((name) => {
    const manifest = readFileSync(join(PACKAGES, name, 'package.json'), 'utf8');
    return JSON.parse(manifest).devDependencies;
  });
  const all = Object.assign({}, ...pinned);
  const imported = [...readFileSync(join(PROGRAMS, PROGRAM), 'utf8').matchAll(IMPORT)];
  const names = imported.map(([, name]) => name).filter((name) => !name.startsWith('@teamfuse/'));
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** How many errors there are in the files of each package. */
function errorsIn(output) {
  const counts = new Map();
  for (const [, owner = 'the program'] of output.matchAll(ERROR)) {
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}
