import { relative } from 'node:path';
import { addLine } from './add-line.ts';
import type { Check } from './check.ts';
import type { Installed, InstalledPackage } from './installed-packages.ts';

const CORE = '@teamfuse/core';
const SCOPE = '@teamfuse/';

/** Checks which packages of ours a project has, and whether they fit together. */
export function checkPackages(installed: Installed, cwd: string): Check[] {
  const { manifest, isBroken, packages, missing, asked } = installed;
  const name = 'packages';
  if (manifest === undefined) {
    const advice = 'run this in the folder of your project';
    return [{ name, status: 'fail', found: 'no package.json here or above', advice }];
  }
  if (isBroken) {
    const found = `${relative(cwd, manifest)} cannot be read`;
    return [{ name, status: 'fail', found, advice: 'it has to be a JSON object' }];
  }
  if (packages.length + missing.length === 0) {
    const advice = `${addLine(['core'], installed)}; install instead of core for AutoGen style teams`;
    return [{ name, status: 'fail', found: `none in ${relative(cwd, manifest)}`, advice }];
  }
  return [
    ...packages.map(toCheck).sort((a, b) => (a.name < b.name ? -1 : 1)),
    ...missing.map(
      (one): Check => ({
        name: one,
        status: 'fail',
        found: 'not installed',
        advice: asked.get(one)?.startsWith('file:') ? 'npm install' : addLine([one], installed),
      }),
    ),
    checkCopies(installed, cwd),
    checkVersions(installed),
  ];
}

function toCheck({ name, version }: InstalledPackage): Check {
  return { name, status: 'ok', found: version };
}

/** Two copies of core do not know each other's breakers and errors. */
function checkCopies(installed: Installed, cwd: string): Check {
  const name = 'one copy of core';
  const copies = installed.packages.filter((one) => one.name === CORE);
  if (copies.length === 1) return { name, status: 'ok', found: 'yes' };
  if (copies.length === 0) {
    const advice = `there is no breaker without it: ${addLine([CORE], installed)}`;
    return { name, status: 'warn', found: 'none', advice };
  }
  const places = copies.map(({ version, folder }) => `${version} in ${relative(cwd, folder)}`);
  const advice =
    'run npm dedupe and require the same version everywhere: instanceof fails between copies';
  return { name, status: 'fail', found: places.join('; '), advice };
}

/** The packages are released together. */
function checkVersions(installed: Installed): Check {
  const { packages, asked } = installed;
  const name = 'versions';
  const versions = [...new Set(packages.map(({ version }) => version))].sort();
  if (versions.length <= 1) return { name, status: 'ok', found: versions.join('') || 'none' };
  const ours = [...asked.keys()].filter((one) => one.startsWith(SCOPE));
  const advice = `they are released together, so update all of them: ${addLine(ours, installed)}`;
  return { name, status: 'warn', found: versions.join(', '), advice };
}
