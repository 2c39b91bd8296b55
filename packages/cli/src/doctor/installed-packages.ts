import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldsOf } from '../transcript/values.ts';

/** A package of ours as a project finds it. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** Where it really is, links resolved. */
  readonly folder: string;
}

/** What a project asks for and what it finds. */
export interface Installed {
  /** The project's manifest; `undefined` if there is none. */
  readonly manifest: string | undefined;
  /** Whether the manifest is none that can be read. */
  readonly isBroken: boolean;
  /** Every copy of every package of ours that the project reaches. */
  readonly packages: readonly InstalledPackage[];
  /** Names of ours that are asked for, and not there. */
  readonly missing: readonly string[];
  /** What the project asks for itself, development included: names with their specifiers. */
  readonly asked: ReadonlyMap<string, string>;
}

const OURS = /^@teamfuse\/[\w.-]+$/;
/** More than any real project has. */
const MAX_PACKAGES = 500;

/** Finds the packages of ours that are loaded from a folder, as Node would: directly, and by one another. */
export function installedPackages(cwd: string): Installed {
  const manifest = upwards(cwd, 'package.json');
  const isBroken = manifest !== undefined && fieldsOf(read(manifest)) === undefined;
  if (manifest === undefined || isBroken) {
    return { manifest, isBroken, packages: [], missing: [], asked: new Map() };
  }
  const asked = dependenciesOf(manifest, true);
  const found = new Map<string, InstalledPackage>();
  const missing = new Set<string>();
  const waiting = oursIn(asked).map((name) => ({ name, from: dirname(manifest) }));
  for (let next = waiting.shift(); next && found.size < MAX_PACKAGES; next = waiting.shift()) {
    const { name, from } = next;
    const place = upwards(from, join('node_modules', name, 'package.json'));
    if (place === undefined) {
      missing.add(name);
      continue;
    }
    const file = realpathSync(place);
    if (found.has(file)) continue;
    const folder = dirname(file);
    found.set(file, { name, version: versionOf(file), folder });
    const needed = oursIn(dependenciesOf(file, false));
    waiting.push(...needed.map((inner) => ({ name: inner, from: folder })));
  }
  return { manifest, isBroken, packages: [...found.values()], missing: [...missing], asked };
}

/** The version of a package that a project has installed; empty if it is not there. */
export function versionIn(project: string, name: string): string {
  const { version } = fieldsOf(read(join(project, 'node_modules', name, 'package.json'))) ?? {};
  return typeof version === 'string' ? version : '';
}

function dependenciesOf(manifest: string, isProject: boolean): ReadonlyMap<string, string> {
  const { dependencies, devDependencies } = fieldsOf(read(manifest)) ?? {};
  const lists = [isProject ? devDependencies : undefined, dependencies];
  const all = lists.flatMap((list) => Object.entries(fieldsOf(list) ?? {}));
  return new Map(all.map(([name, spec]) => [name, String(spec)]));
}

function oursIn(dependencies: ReadonlyMap<string, string>): readonly string[] {
  return [...dependencies.keys()].filter((name) => OURS.test(name));
}

function versionOf(manifest: string): string {
  const { version } = fieldsOf(read(manifest)) ?? {};
  return typeof version === 'string' ? version : 'unknown';
}

function read(file: string): unknown {
  try {
    // It leaves out the mark that editors put in front of UTF-8.
    return JSON.parse(new TextDecoder().decode(readFileSync(file)));
  } catch {
    return undefined;
  }
}

/** A file in a folder or in those above it. */
function upwards(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, name);
    if (existsSync(file)) return file;
    if (dirname(at) === at) return undefined;
  }
}
