// What a gateway costs, beside a proxy that only forwards and no proxy at all. `npm run bench:gateway`; for a quick look
// `node packages/wire/bench/gateway.js --calls 100 --rounds 2 --memory 0`.
import { parseArgs } from 'node:util';
import { printCost } from './cost.js';
import { printLatency } from './latency.js';
import { printMemory } from './memory.js';

const { values } = parseArgs({
  options: {
    /** Calls of one round; 0 leaves latency out. */
    calls: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    messages: { type: 'string', default: '10,100' },
    'at-once': { type: 'string', default: '1,10,50,200' },
    /** Calls of the part about memory; 0 leaves it out. */
    memory: { type: 'string', default: '0' },
  },
});
const numbers = (list) => list.split(',').map(Number);
const print = (line) => console.log(line);

const calls = Number(values.calls);
if (calls > 0) {
  const atOnce = numbers(values['at-once']);
  const lengths = numbers(values.messages);
  await printLatency({ calls, rounds: Number(values.rounds), lengths, atOnce, print });
  await printCost({ calls, lengths: [10, 100, 1000], print });
}
const memory = Number(values.memory);
if (memory > 0) await printMemory({ calls: memory, length: 200, print });
