import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Installed } from './installed-packages.ts';

const TARBALL = /^file:(.+\.tgz)$/;
const UNKNOWN = '../teamfuse/tarballs';
const HOW = 'https://github.com/teamfuse/teamfuse/blob/main/docs/getting-started.md';

/**
 * The command that adds packages of ours to a project. No registry has them, so it names the folder of tarballs that the
 * project's own come from, or else says where to get one.
 */
export function addLine(names: readonly string[], { manifest = '', asked }: Installed): string {
  const packages = names.map((name) => name.replace('@teamfuse/', '')).join(' ');
  const known = [...asked.values()].map((spec) => tarballsIn(spec, dirname(manifest)));
  const folder = known.find((one) => one !== undefined);
  if (folder !== undefined) return `node ${folder}/add.mjs ${packages}`;
  return `node ${UNKNOWN}/add.mjs ${packages} (${dirname(UNKNOWN)} is the repository, after npm run pack there: ${HOW})`;
}

/** The folder of a tarball, from the project, if it can still add packages. */
function tarballsIn(spec: string, project: string): string | undefined {
  const [, file] = TARBALL.exec(spec) ?? [];
  if (file === undefined) return undefined;
  const folder = dirname(resolve(project, file));
  if (!existsSync(join(folder, 'add.mjs'))) return undefined;
  const path = relative(project, folder).replaceAll('\\', '/');
  const shown = path.startsWith('.') ? path : `./${path}`;
  return /[^\w./-]/.test(shown) ? JSON.stringify(shown) : shown;
}
