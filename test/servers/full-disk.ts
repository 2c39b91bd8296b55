import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BLOCK = 4096;

/** Whether this process may mount a disk. */
export const HAS_DISKS: boolean = canMount();

/** A small disk of a test, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room on it. */
  fill(): void;
  /** Frees what `fill` has taken. */
  free(): void;
  remove(): void;
}

/** Mounts a disk of 256 KB. */
export function smallDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        while (writeSync(file, Buffer.alloc(BLOCK)) === BLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    remove() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    smallDisk().remove();
    return true;
  } catch {
    return false;
  }
}
