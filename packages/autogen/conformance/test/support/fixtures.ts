import { fileURLToPath } from 'node:url';

/** The committed vectors of a library. */
export function committedVectors(library: string): string {
  return fileURLToPath(new URL(`../../fixtures/${library}`, import.meta.url));
}

/** The vectors of a library beside this repository, which not every machine has. */
export function sharedVectors(library: string): string {
  return fileURLToPath(new URL(`../../../../../../shared/conformance/${library}`, import.meta.url));
}
