// The cost of a guard. Build first, then `node --expose-gc packages/adapter-agentchat/bench/guard.js`.
import { parseArgs } from 'node:util';
import { guardTeam } from '@teamfuse/adapter-agentchat';
import { BaseChatAgent, RoundRobinGroupChat, TextMessage } from '@teamfuse/agentchat';
import { Breaker, NO_DETECTORS } from '@teamfuse/core';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '200' },
    runs: { type: 'string', default: '15' },
    long: { type: 'string', default: '20000' },
  },
});
const TURNS = Number(values.turns);
const RUNS = Number(values.runs);
const LONG = Number(values.long);

/** Answers at once, with another number each time. */
class InstantAgent extends BaseChatAgent {
  producedMessageTypes = [TextMessage];
  #turn = 0;

  async onMessages() {
    this.#turn += 7919;
    const content = `Report ${this.#turn}: section ${(this.#turn * 31) % 997} is done.`;
    return { chatMessage: new TextMessage({ content, source: this.name }) };
  }

  async onReset() {}
}

function crew(turns) {
  return new RoundRobinGroupChat([new InstantAgent('ann', ''), new InstantAgent('bob', '')], {
    maxTurns: turns,
  });
}

/** Guards a team without detectors, or with all of them; their findings stop nothing. */
const GUARDS = {
  unguarded: () => {},
  'guarded, detectors off': (team, breaker) => guardTeam(team, breaker.off),
  'guarded, detectors on': (team, breaker) => guardTeam(team, breaker.on),
};

async function once(install, count) {
  const breaker = {
    off: new Breaker({ ...NO_DETECTORS, reaction: 'observe' }),
    on: new Breaker({ reaction: 'observe' }),
  };
  const teams = Array.from({ length: count }, () => {
    const team = crew(TURNS);
    install(team, breaker);
    return team;
  });
  const startedAt = performance.now();
  await Promise.all(teams.map((team) => team.run({ task: 'Begin' })));
  return ((performance.now() - startedAt) * 1000) / (count * TURNS);
}

/** The fastest run: everything slower is another program's doing. */
async function microseconds(install, count, runs) {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) best = Math.min(best, await once(install, count));
  return best;
}

for (const count of [1, 100]) {
  let plain;
  for (const [name, install] of Object.entries(GUARDS)) {
    const runs = count === 1 ? RUNS : 3;
    const took = await microseconds(install, count, runs);
    plain ??= took;
    const more = name === 'unguarded' ? '' : ` (${(took - plain).toFixed(1)} more)`;
    console.log(`${count} teams, ${name}: ${took.toFixed(1)} µs a turn${more}`);
  }
}

/** The heap half-way and at the end. A team keeps what was said, guarded or not. */
async function heapOf(install) {
  const team = crew(1000);
  install(team, { on: new Breaker({ reaction: 'observe' }) });
  const heap = [];
  for (let done = 0; done < LONG; done += 1000) {
    await team.run({ task: 'Begin' });
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed / 2 ** 20);
  }
  return (heap.at(-1) - heap[Math.floor(heap.length / 2)]).toFixed(1);
}

for (const name of ['unguarded', 'guarded, detectors on']) {
  const grown = await heapOf(GUARDS[name]);
  console.log(`${LONG} turns, ${name}: the heap grows by ${grown} MB in the second half`);
}
