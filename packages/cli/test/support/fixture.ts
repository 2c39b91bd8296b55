import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where a fixture stands. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** The bytes of a fixture. */
export function bytesOf(name: string): Uint8Array {
  return readFileSync(fixture(name));
}
