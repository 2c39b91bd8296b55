import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COMMENT = /\/\*[\s\S]*?\*\//g;
const IMPORT = /(?:\bfrom |\bimport |\bimport\()'([^']+)'/g;
const PACKAGE = /^(?:@[^/]+\/)?[^/]+/;

/** What the types of a package import, from where users begin, and its package.json does not name. */
export function undeclared(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, exports, dependencies = {}, peerDependencies = {} } = manifest;
  const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  const files = new Set(
    Object.values(exports)
      .flatMap(({ types = [] }) => types)
      .map((path) => join(folder, path)),
  );
  const missing = new Set();
  // The set grows while it is read.
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replace(COMMENT, '');
    for (const [, from] of text.matchAll(IMPORT)) {
      if (from.startsWith('.')) files.add(join(dirname(file), from.replace(/\.ts$/, '.d.ts')));
      else if (!from.startsWith('node:') && !declared.has(PACKAGE.exec(from)[0])) missing.add(from);
    }
  }
  return [...missing].map((from) => `${name} does not declare ${from}`);
}
