// Builds with one compiler: every package and example, or what the named ones need.
//
//   node scripts/build.js [name ...]     such as core, conformance or example-runaways
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const CONFIGS = ['tsconfig.build.json', 'tsconfig.json'];

const workspace = readWorkspace();
const names = process.argv.slice(2).map((name) => `@teamfuse/${name}`);
const projects = [...neededBy(names.length === 0 ? [...workspace.keys()] : names)];

const configs = projects.flatMap(({ folder }) => {
  const config = CONFIGS.map((file) => join(folder, file)).find((file) => existsSync(file));
  return config === undefined || !existsSync(join(folder, 'src')) ? [] : [config];
});
run(process.execPath, [TSC, '--build', '--noCheck', ...configs], ROOT);
for (const { folder, manifest } of projects) {
  if (manifest.scripts?.bundle && isStale(folder))
    run('npm', ['run', '--silent', 'bundle'], folder);
}

/** The packages and examples of the workspace, by name. */
function readWorkspace() {
  const parents = ['packages', 'packages/autogen', 'examples'].map((name) => join(ROOT, name));
  const folders = parents.flatMap((parent) =>
    readdirSync(parent).map((name) => join(parent, name)),
  );
  return new Map(
    folders
      .filter((folder) => existsSync(join(folder, 'package.json')))
      .map((folder) => {
        const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        return [manifest.name, { folder, manifest }];
      }),
  );
}

/** The named ones and all of ours that they import when they run. */
function neededBy(wanted, found = new Set()) {
  for (const name of wanted) {
    const project = workspace.get(name);
    if (project === undefined) throw new Error(`no package or example is called ${name}`);
    if (found.has(project)) continue;
    found.add(project);
    const imported = Object.keys({ ...project.manifest.dependencies });
    neededBy(
      imported.filter((one) => workspace.has(one)),
      found,
    );
  }
  return found;
}

/** Whether something has changed since the last bundle. */
function isStale(folder) {
  const at = (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['scripts', 'src'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true }).map((file) => join(name, file)),
  );
  const bundled = at('dist/vendor/LICENSES.txt');
  return ['tsconfig.build.tsbuildinfo', ...sources].some((file) => at(file) >= bundled);
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
