import { withLock } from '../../src/lock/with-lock.ts';

// Locks a file and never lets go.
const [file = ''] = process.argv.slice(2);
setInterval(() => {}, 1000);
await withLock(file, { timeoutMs: 0, leftAfterMs: 600_000 }, () => {
  process.stdout.write('held\n');
  return new Promise(() => {});
});
