import assert from 'node:assert/strict';
import { guardClient } from '@teamfuse/adapter-mcp';
import { Breaker } from '@teamfuse/core';
import { bill, connect, type Taken, work } from './host.ts';

/** The cap of a careful host, and one that no run reaches. */
const OWN_CAP = 20;
const NO_CAP = 100;

async function run(isLooping: boolean, cap: number, breaker?: Breaker) {
  const taken: Taken = { turns: 0, calls: 0, tokens: 0 };
  const client = await connect(taken);
  const guard = breaker && guardClient(client, breaker);
  const isStopped = () => guard?.trip !== undefined;
  const end = await work(client, taken, { isLooping, cap, isStopped });
  await client.close();
  const reason = guard?.trip ? `${end}: ${guard.trip.reason}` : end;
  return { taken, end, line: `${bill(taken)} (${reason})` };
}

console.log(`without a cap:       ${(await run(true, NO_CAP)).line}`);
console.log(`with a cap:          ${(await run(true, OWN_CAP)).line}`);
const loop = await run(true, NO_CAP, new Breaker());
console.log(`with the guard:      ${loop.line}`);
console.log(`its healthy twin:    ${(await run(false, NO_CAP)).line}`);
const twin = await run(false, NO_CAP, new Breaker());
console.log(`the twin, guarded:   ${twin.line}`);

const last = `the loop: ${loop.end} after ${loop.taken.turns} turns and ${loop.taken.calls} calls; its twin: ${twin.end} (${twin.taken.turns} turns)`;
console.log(last);
assert.equal(
  last,
  'the loop: stopped after 3 turns and 2 calls; its twin: All 9 pages are read. (10 turns)',
);
