// The cost of a guard. Build first, then `node --expose-gc packages/install/bench/guard.js`.
import { parseArgs } from 'node:util';
import { printMemory } from './memory.js';
import { printCosts } from './per-turn.js';

const { values } = parseArgs({
  options: {
    /** Turns of one round, of all teams together. */
    turns: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '7' },
    /** Turns of each part about memory; 0 leaves it out. */
    memory: { type: 'string', default: '1000000' },
  },
});
const print = (line) => console.log(line);

const turns = Number(values.turns);
await printCosts({ turns, rounds: Number(values.rounds), counts: [1, 100], print });
const memory = Number(values.memory);
if (memory > 0) await printMemory({ turns: memory, length: 1000, print });
