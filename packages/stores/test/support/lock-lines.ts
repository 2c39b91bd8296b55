import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { withLock, withLockSync } from '../../src/lock/with-lock.ts';

// Writes a line when it has locked a file, and another one before it lets go: so many times, holding it for so long.
const [how = '', file = '', count = '', holdMs = ''] = process.argv.slice(2);
const options = { timeoutMs: 60_000, leftAfterMs: 600_000 };
const handle = openSync(file, 'a');
const write = (what: string): unknown => writeSync(handle, `${what} ${process.pid}\n`);
const standStill = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

process.stdout.write('ready\n');
for (let i = 0; i < Number(count); i++) {
  if (how === 'at once') {
    withLockSync(file, options, () => {
      write('begins');
      standStill(Number(holdMs));
      write('ends');
    });
  } else {
    await withLock(file, options, async () => {
      write('begins');
      await pause(Number(holdMs));
      write('ends');
    });
  }
}
closeSync(handle);
