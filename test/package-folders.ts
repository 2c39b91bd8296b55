import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where each package lies, from the root, by its name: `packages/autogen/agentchat` for `agentchat`. */
export const PACKAGE_FOLDERS: ReadonlyMap<string, string> = new Map(
  foldersIn('packages')
    .flatMap((folder) => (isPackage(folder) ? [folder] : foldersIn(folder).filter(isPackage)))
    .map((folder) => [posix.basename(folder), folder]),
);

function foldersIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).map((name) => posix.join(folder, name));
}

function isPackage(folder: string): boolean {
  return existsSync(join(ROOT, folder, 'package.json'));
}
