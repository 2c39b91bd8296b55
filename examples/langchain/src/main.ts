import assert from 'node:assert/strict';
import { guardGraph, tripOf } from '@teamfuse/adapter-langchain';
import { Breaker } from '@teamfuse/core';
import { bill, clerk } from './agent.ts';

/** The default cap of the framework, in steps of the graph, and one that no run reaches. */
const OWN_CAP = 25;
const NO_CAP = 200;

const INPUT = { messages: [{ role: 'user', content: 'Read all orders.' }] };

async function run(isLooping: boolean, recursionLimit: number, breaker?: Breaker): Promise<string> {
  const { agent, taken } = clerk(isLooping);
  if (breaker !== undefined) guardGraph(agent, breaker, { judge: false });
  try {
    const result = await agent.invoke(INPUT, { recursionLimit });
    const trip = tripOf(result);
    const end = trip === undefined ? result.messages.at(-1)?.text : `stopped: ${trip.reason}`;
    return `${bill(taken)} (${end})`;
  } catch (error) {
    // The state of the run is lost.
    return `${bill(taken)} (${error instanceof Error ? error.name : error})`;
  }
}

console.log(`without a cap:      ${await run(true, NO_CAP)}`);
console.log(`with its own cap:   ${await run(true, OWN_CAP)}`);
console.log(`with the guard:     ${await run(true, NO_CAP, new Breaker())}`);
console.log(`its healthy twin:   ${await run(false, NO_CAP)}`);
console.log(`the twin, guarded:  ${await run(false, NO_CAP, new Breaker())}`);

const { agent: loop, taken: spent } = clerk(true);
guardGraph(loop, new Breaker(), { judge: false });
const kept = (await loop.invoke(INPUT, { recursionLimit: NO_CAP })).messages.length;
const { agent: twin, taken } = clerk(false);
guardGraph(twin, new Breaker(), { judge: false });
const text = (await twin.invoke(INPUT, { recursionLimit: NO_CAP })).messages.at(-1)?.text;
const last = `the loop: stopped after ${spent.turns} turns, ${kept} messages kept; its twin: ${text} (${taken.turns} turns)`;
console.log(last);
assert.equal(
  last,
  'the loop: stopped after 3 turns, 7 messages kept; its twin: All 9 pages are read. (10 turns)',
);
