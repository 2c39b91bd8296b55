import { SharedDatabase } from '../../src/sqlite/database.ts';

// Writes to a database for so many milliseconds, and blocks while it does.
const [file = '', ms = ''] = process.argv.slice(2);
const database = new SharedDatabase(file, 0, (one) => one.exec('CREATE TABLE IF NOT EXISTS t (x)'));
await database.write(() => {
  process.stdout.write('held\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(ms));
});
process.stdout.write('written\n');
