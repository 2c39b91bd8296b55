// The command itself, which then says how long it took.

import { argv } from 'node:process';
import { run } from '../dist/run.js';
import { figures } from './figures.js';

await run([argv[0], argv[1], 'replay', '--json', ...argv.slice(2)]);
figures();
