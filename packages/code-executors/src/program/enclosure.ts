import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandLine } from './limits.ts';
import { findProcesses, kill, withEnvironment } from './process-table.ts';

/** What holds the processes of one block together. */
export interface Enclosure {
  /** Whether nothing but this block is inside, and nothing inside sees what is outside. */
  readonly isNamespace: boolean;
  /** The command line that runs `command` inside. */
  enter(command: CommandLine, cwd: string): CommandLine;
  /** Variables that have to be in the environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  countProcesses(): number;
  /** Kills everything inside. `pid` is the program that was entered. */
  end(pid: number | undefined): void;
  /** Resolves when nothing is left of what {@link end} killed. */
  gone(): Promise<void>;
}

const AGAIN_MS = 10;

/**
 * Holds processes together by their group and by a variable that they inherit.
 *
 * A process that leaves the group and clears its environment is not found.
 */
export function markedEnclosure(): Enclosure {
  const mark = randomUUID();
  const isMarked = withEnvironment(`TEAMFUSE_RUN=${mark}`);
  return {
    isNamespace: false,
    env: { TEAMFUSE_RUN: mark },
    enter: (command) => command,
    countProcesses: () => findProcesses(isMarked).length,
    end: (pid) => {
      if (pid === undefined) return;
      kill(process.platform === 'win32' ? pid : -pid);
      findProcesses(isMarked).forEach(kill);
    },
    gone: async () => {
      for (;;) {
        const since = performance.now();
        const left = findProcesses(isMarked);
        if (left.length === 0) return;
        // A process may have started another one while the table was read.
        left.forEach(kill);
        // A long table takes long to read, and this process has other things to do.
        await delay(Math.max(AGAIN_MS, performance.now() - since));
      }
    },
  };
}
