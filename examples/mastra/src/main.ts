import assert from 'node:assert/strict';
import { guardAgent, tripOf } from '@teamfuse/adapter-mastra';
import { Breaker } from '@teamfuse/core';
import { bill, clerk } from './agent.ts';

/** The default cap of the framework, and one that no run reaches. */
const OWN_CAP = 5;
const NO_CAP = 100;

async function run(isLooping: boolean, cap: number, breaker?: Breaker): Promise<string> {
  const { agent, taken } = clerk(isLooping);
  if (breaker !== undefined) guardAgent(agent, breaker, { judge: false });
  const result = await agent.generate('Read all orders.', { maxSteps: cap });
  const trip = tripOf(result);
  const end = trip === undefined ? result.text || 'still at it' : `stopped: ${trip.reason}`;
  return `${bill(taken)} (${end})`;
}

console.log(`without a cap:      ${await run(true, NO_CAP)}`);
console.log(`with its own cap:   ${await run(true, OWN_CAP)}`);
console.log(`with the guard:     ${await run(true, NO_CAP, new Breaker())}`);
console.log(`its healthy twin:   ${await run(false, NO_CAP)}`);
console.log(`the twin, guarded:  ${await run(false, NO_CAP, new Breaker())}`);

const { agent: loop, taken: spent } = clerk(true);
guardAgent(loop, new Breaker(), { judge: false });
const { steps } = await loop.generate('Read all orders.', { maxSteps: NO_CAP });
const { agent: twin, taken } = clerk(false);
guardAgent(twin, new Breaker(), { judge: false });
const { text } = await twin.generate('Read all orders.', { maxSteps: NO_CAP });
const last = `the loop: stopped after ${spent.turns} turns, ${steps.length} steps kept; its twin: ${text} (${taken.turns} turns)`;
console.log(last);
assert.equal(
  last,
  'the loop: stopped after 3 turns, 3 steps kept; its twin: All 9 pages are read. (10 turns)',
);
