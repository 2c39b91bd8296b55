import assert from 'node:assert/strict';
import { MaxTurnsExceededError, Runner } from '@openai/agents';
import { guardRunner, tripOf } from '@teamfuse/adapter-openai-agents';
import { Breaker } from '@teamfuse/core';
import { bill, clerk } from './agent.ts';

/** The default cap of the framework, and one that no run reaches. */
const OWN_CAP = 10;
const NO_CAP = 100;

async function run(isLooping: boolean, maxTurns: number, breaker?: Breaker) {
  const { agent, taken } = clerk({ isLooping });
  const runner = new Runner({ tracingDisabled: true });
  if (breaker !== undefined) guardRunner(runner, breaker, { judge: false });
  const ended = (how: string, items = 0) => ({ how, items, taken });
  try {
    const result = await runner.run(agent, 'Read all orders.', { maxTurns });
    const trip = tripOf(result);
    const how = trip === undefined ? String(result.finalOutput) : `stopped: ${trip.reason}`;
    return ended(how, result.history.length);
  } catch (error) {
    if (!(error instanceof MaxTurnsExceededError)) throw error;
    return ended('failed: too many turns');
  }
}

async function line(isLooping: boolean, maxTurns: number, breaker?: Breaker): Promise<string> {
  const { how, taken } = await run(isLooping, maxTurns, breaker);
  return `${bill(taken)} (${how})`;
}

console.log(`without a cap:      ${await line(true, NO_CAP)}`);
console.log(`with its own cap:   ${await line(true, OWN_CAP)}`);
console.log(`with the guard:     ${await line(true, NO_CAP, new Breaker())}`);
console.log(`its healthy twin:   ${await line(false, NO_CAP)}`);
console.log(`the twin, guarded:  ${await line(false, NO_CAP, new Breaker())}`);

const loop = await run(true, NO_CAP, new Breaker());
const twin = await run(false, NO_CAP, new Breaker());
const last = `the loop: stopped after ${loop.taken.turns} turns, ${loop.items} items kept; its twin: ${twin.how} (${twin.taken.turns} turns)`;
console.log(last);
assert.equal(
  last,
  'the loop: stopped after 3 turns, 8 items kept; its twin: All 9 pages are read. (10 turns)',
);
