import { writeSync } from 'node:fs';
import { Breaker } from '@teamfuse/core';
import { recordTo } from '../../src/index.ts';

// A team that says something a turn, and then the same without end, until somebody kills it. Each signal is told on
// standard output once the breaker is done with it, and so is the trip.
const [file = ''] = process.argv.slice(2);
const breaker = new Breaker();
recordTo(breaker, file, { run: 'loop' });
breaker.on('trip', ({ kind, reason, index }) => {
  writeSync(1, `${JSON.stringify({ kind, reason, index })}\n`);
});
const said = ['The sales rose by 12 percent in May.', 'Berlin sold 480 bicycles, Hamburg 310.'];
for (let turn = 0; ; turn++) {
  const agent = turn % 2 === 0 ? 'writer' : 'critic';
  const text = said[turn] ?? 'Thank you, that is a very good report. Please go on.';
  breaker.observe({ kind: 'message', at: turn * 1000, agent, text });
  writeSync(1, `${turn}\n`);
}
