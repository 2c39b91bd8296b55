// Packs the packages, and checks what would be published: what they export, and how users' programs resolve it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));
const TARBALLS = join(SCRIPTS, '../tarballs');
/** The packages are ES modules, and promise nothing to what knows no `exports`. */
const UNPROMISED = ['node10', 'node16-cjs'];
const WITHOUT_TYPES = ['teamfuse.schema.json'];

execFileSync(process.execPath, [join(SCRIPTS, 'pack.js')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const index = JSON.parse(readFileSync(join(TARBALLS, 'index.json'), 'utf8'));
let failed = 0;
for (const [name, { file }] of Object.entries(index)) {
  const tarball = readFileSync(join(TARBALLS, file));
  const wrong = [...(await exportsOf(tarball)), ...(await typesOf(tarball))];
  for (const one of wrong) console.log(`FAILED ${name}: ${one}`);
  failed += wrong.length;
}
process.exitCode = failed === 0 ? 0 : 1;

/** What is wrong with the exports of a package. */
async function exportsOf(tarball) {
  const { messages, pkg } = await publint({
    pack: {
      tarball: tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength),
    },
    strict: true,
  });
  return messages
    .filter(({ type }) => type === 'error')
    .map((message) => formatMessage(message, pkg, { color: false }));
}

/** What is wrong with the types of a package. */
async function typesOf(tarball) {
  const packed = createPackageFromTarballData(new Uint8Array(tarball));
  const { types, problems = [] } = await checkPackage(packed, {
    excludeEntrypoints: WITHOUT_TYPES,
  });
  if (!types) return ['it has no types'];
  return problems
    .filter(({ resolutionKind }) => !UNPROMISED.includes(resolutionKind))
    .map((problem) => JSON.stringify(problem));
}
