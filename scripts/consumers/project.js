import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from '../registry.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ADD = join(ROOT, 'tarballs/add.mjs');
export const PROGRAMS = join(ROOT, 'scripts/consumers/programs');
/** Every published package. */
export const NAMES = Object.keys(
  JSON.parse(readFileSync(join(ROOT, 'tarballs/index.json'), 'utf8')),
);
export const FRAMEWORK_ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'mcp', 'openai-agents'].map(
  (name) => `adapter-${name}`,
);

/** What runs each manager, and what a project needs before it is used. */
export const MANAGERS = {
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

/** A project in `folder` with a package.json and the programs. */
export function newProject(folder, devDependencies) {
  mkdirSync(folder);
  cpSync(PROGRAMS, folder, { recursive: true });
  const manifest = { name: 'consumer', private: true, type: 'module', devDependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Adds packages from their tarballs, by default all, with a manager that is installed in `work`. */
export function add(work, project, manager = 'npm', names = []) {
  const { packages, files } = MANAGERS[manager];
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const args = [ADD, '--with', manager.split(' ')[0], ...names];
  return run(process.execPath, args, project, withManager(work, packages));
}

/** An environment in which the manager is found before any other. */
function withManager(work, packages) {
  if (packages.length === 0) return process.env;
  const folder = join(work, `tool-${packages[0].replace(/\W/g, '-')}`);
  install(folder, packages);
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`;
  // The cache of yarn 1 knows a tarball by its name, also one of yesterday.
  return { ...process.env, PATH, YARN_CACHE_FOLDER: join(work, 'yarn-cache') };
}
