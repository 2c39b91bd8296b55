import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PACKAGE } from '../../scripts/mutation-rooms.js';
import config from '../../vitest.config.ts';
import { PACKAGE_FOLDERS } from '../package-folders.ts';

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly '@teamfuse/source': string }>>;
}

/** Where the sources of each exported path are. Stryker works on a copy, of which node_modules would lead back to the original. */
const alias = [...PACKAGE_FOLDERS].flatMap(([name, folder]) => {
  const at = new URL(`../../${folder}/`, import.meta.url);
  const manifest: Manifest = JSON.parse(readFileSync(new URL('package.json', at), 'utf8'));
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const find = new RegExp(`^@teamfuse/${name}${path.slice(1)}$`);
    return [{ find, replacement: fileURLToPath(new URL(target['@teamfuse/source'], at)) }];
  });
});

/** The tests that Stryker runs for each mutant. It cannot run projects, and slow tests would be run hundreds of times. */
export default defineConfig({
  ...config,
  resolve: {
    ...config.resolve,
    alias,
  },
  test: {
    testTimeout: 15_000,
    isolate: false,
    include: [`packages/${PACKAGE}/test/**/*.test.ts`],
    exclude: [
      'packages/**/*.slow.test.ts',
      'packages/core/test/{bench,explain}/**',
      'packages/core/test/detection/detectors/contract.test.ts',
      'packages/core/test/simulation/faults.test.ts',
      'packages/adapter-*/test/**/{detectors,stop-anywhere,*.property}.test.ts',
    ],
  },
});
