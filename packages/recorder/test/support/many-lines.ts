import { once } from 'node:events';
import { Breaker } from '@teamfuse/core';
import { recordTo } from '../../src/index.ts';

// Records so many signals to a file that others write to as well, whose parts are as small as they may be.
const [file = '', run = '', lines = '0', maxBytes = '0'] = process.argv.slice(2);
const breaker = new Breaker({ repetition: false, speakerCycle: false });
recordTo(breaker, file, { run, maxBytes: Number(maxBytes), keep: 1_000 });
// Begins once its input ends.
console.log('ready');
await once(process.stdin.resume(), 'end');
for (let at = 0; at < Number(lines); at++) {
  breaker.observe({ kind: 'message', at, agent: 'a', text: `Line ${at} of ${run}.` });
}
