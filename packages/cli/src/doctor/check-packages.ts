import { relative } from 'node:path';
import type { Check } from './check.ts';
import type { Installed, InstalledPackage } from './installed-packages.ts';

const CORE = '@teamfuse/core';

/** Checks which packages of ours a project has, and whether they fit together. */
export function checkPackages({ manifest, packages, missing }: Installed, cwd: string): Check[] {
  const name = 'packages';
  if (manifest === undefined) {
    const advice = 'run this in the folder of your project';
    return [{ name, status: 'fail', found: 'no package.json here or above', advice }];
  }
  if (packages.length + missing.length === 0) {
    const advice = 'npm install @teamfuse/core, or @teamfuse/install for AutoGen style teams';
    return [{ name, status: 'fail', found: `none in ${relative(cwd, manifest)}`, advice }];
  }
  return [
    ...packages.map(toCheck).sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...missing.map(
      (one): Check => ({
        name: one,
        status: 'fail',
        found: 'not installed',
        advice: 'npm install',
      }),
    ),
    checkCopies(packages, cwd),
    checkVersions(packages),
  ];
}

function toCheck({ name, version }: InstalledPackage): Check {
  return { name, status: 'ok', found: version };
}

/** Two copies of core do not know each other's breakers and errors. */
function checkCopies(packages: readonly InstalledPackage[], cwd: string): Check {
  const name = 'one copy of core';
  const copies = packages.filter((one) => one.name === CORE);
  if (copies.length === 1) return { name, status: 'ok', found: 'yes' };
  if (copies.length === 0) {
    const advice = 'there is no breaker without it: npm install @teamfuse/core';
    return { name, status: 'warn', found: 'none', advice };
  }
  const places = copies.map(({ version, folder }) => `${version} in ${relative(cwd, folder)}`);
  const advice =
    'run npm dedupe and require the same version everywhere: instanceof fails between copies';
  return { name, status: 'fail', found: places.join('; '), advice };
}

/** The packages are released together. */
function checkVersions(packages: readonly InstalledPackage[]): Check {
  const name = 'versions';
  const versions = [...new Set(packages.map(({ version }) => version))].sort();
  if (versions.length <= 1) return { name, status: 'ok', found: versions.join('') || 'none' };
  const advice = 'update all Teamfuse packages together: they are released together';
  return { name, status: 'warn', found: versions.join(', '), advice };
}
