// Packs every published package into tarballs/, with the script that adds them to a project.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGES = join(ROOT, 'packages');
const TARBALLS = join(ROOT, 'tarballs');
const SCOPE = '@teamfuse/';

rmSync(TARBALLS, { recursive: true, force: true });
mkdirSync(TARBALLS);

const published = [PACKAGES, join(PACKAGES, 'autogen')]
  .flatMap((place) => readdirSync(place).map((name) => ({ name, folder: join(place, name) })))
  .filter(({ folder }) => existsSync(join(folder, 'package.json')))
  .map(({ name, folder }) => ({ name, manifest: read(join(folder, 'package.json')) }))
  .filter(({ manifest }) => manifest.private !== true);

const filters = published.flatMap(({ manifest }) => ['--filter', manifest.name]);
const pnpm = ['--yes', '--prefer-offline', 'pnpm@10.34.9', '--recursive', ...filters];
execFileSync('npx', [...pnpm, 'pack', '--pack-destination', TARBALLS], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const index = Object.fromEntries(
  published.map(({ name, manifest }) => {
    const file = `teamfuse-${name}-${manifest.version}.tgz`;
    return [name, { file, needs: ownDependencies(manifest) }];
  }),
);
writeFileSync(join(TARBALLS, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
copyFileSync(join(ROOT, 'scripts/add-tarballs.js'), join(TARBALLS, 'add.mjs'));

for (const { file } of Object.values(index)) {
  const { size } = statSync(join(TARBALLS, file));
  console.log(
    `${file.padEnd(48)}${Math.ceil(size / 1024)
      .toString()
      .padStart(6)} kB`,
  );
}
console.log(`
In your project, with npm, pnpm or yarn:

  node ${join(TARBALLS, 'add.mjs')} adapter-agentchat models

Without names it adds every package; what a package needs comes with it.`);

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function ownDependencies({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  return [...Object.keys(dependencies), ...peers]
    .filter((name) => name.startsWith(SCOPE))
    .map((name) => name.slice(SCOPE.length));
}
