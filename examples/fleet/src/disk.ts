import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE_KB = 256;

/** A small disk in memory. */
export interface Disk {
  readonly folder: string;
  /** Leaves no room on it. */
  readonly fill: () => void;
  readonly remove: () => void;
}

/** Mounts a disk; `undefined` where this process may not. */
export function mountDisk(): Disk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-disk-'));
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${SIZE_KB}k`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    fill: () => {
      try {
        writeFileSync(join(folder, 'filler'), Buffer.alloc(2 * SIZE_KB * 1024));
      } catch {
        // It was full before all was written.
      }
    },
    remove: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
