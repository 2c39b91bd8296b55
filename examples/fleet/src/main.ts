// Three gateways, one Redis: one circuit and one purse. One gateway is killed and one stands still for a second.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Circuit, shareCircuit } from './circuit.ts';
import { client, disturb, type Member, startMember } from './fleet.ts';
import { MAX_CALL, type Model, startModel } from './model.ts';
import { evictBooks, fillDisk, type Pressed } from './pressure.ts';
import { hasRedis, startRedis } from './redis.ts';
import { MAX_TOKENS, openStores } from './stores.ts';

const CLIENTS = 6;
const LAST =
  'one gateway stopped the loop for all, one probe was sent, and the books never went beyond the purse and miss no call that outlived its gateway';

if (hasRedis()) await run();
else
  console.log('left out: redis-server is not installed (on Debian: apt-get install redis-server)');

async function run(): Promise<void> {
  const redis = await startRedis();
  const model = await startModel();
  const fleet: Member[] = [];
  try {
    for (const name of ['gateway 1', 'gateway 2 (killed)', 'gateway 3 (stood still)'])
      fleet.push(await startMember(name, model.url, `${redis.port}`));
    reportPressure(await fillDisk(), await evictBooks());
    reportCircuit(await shareCircuit(fleet, model));
    report(fleet, { ...(await spendPurse(fleet, redis.port, model)), ...model.served });
  } finally {
    for (const { child } of fleet) child.kill('SIGKILL');
    model.server.close();
    redis.stop();
  }
}

/** Lets the clients spend what is in the purse, and watches the books meanwhile. */
async function spendPurse(
  fleet: readonly Member[],
  port: number,
  { served }: Model,
): Promise<{ readonly most: number; readonly booked: number }> {
  const { budget: store, close } = await openStores(port);
  let most = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    for (; !isOver; await pause(2)) {
      const { spent, reserved } = await store.totals();
      most = Math.max(most, spent.tokens + reserved.tokens);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(`client ${n + 1}`, fleet, n));
  const working = Promise.all([...clients, disturb(fleet, served)]).then(async () => {
    // The reservations of the killed gateway lapse by themselves.
    while ((await store.totals()).reserved.tokens > 0) await pause(50);
    isOver = true;
  });
  await Promise.all([working, watch()]);
  const { spent } = await store.totals();
  close();
  return { most, booked: spent.tokens };
}

function reportCircuit({ reason, stoppedIn, asked, probes, openIn }: Circuit): void {
  console.log(`stopped: ${reason}`);
  console.table({
    'gateways that stop the conversation': { count: stoppedIn },
    'calls to all gateways at once after the cool-down': { count: asked },
    'of them sent to the model, as the probe': { count: probes },
    'gateways that let it go on after the probe': { count: openIn },
  });
  assert.equal(probes, 1, 'more than one probe was sent');
}

function reportPressure(full: Pressed | undefined, evicting: Pressed): void {
  const rows = { 'a full disk, while Redis is away': full, 'a Redis that evicts': evicting };
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([trouble, row]) => [
        trouble,
        row ?? { served: 'left out: a disk can be mounted by root on Linux alone' },
      ]),
    ),
  );
  for (const row of [full, evicting]) {
    assert.equal(row?.booked, row?.served, 'the books are not what was served');
  }
  assert.ok(full === undefined || full.told.includes('UNWRITTEN_JOURNAL'), 'no full disk was told');
  assert.ok(evicting.told.includes('LOST_BOOKS'), 'no lost books were told');
}

interface Books {
  readonly most: number;
  readonly booked: number;
  readonly calls: number;
  readonly tokens: number;
}

function report(fleet: readonly Member[], { most, booked, calls, tokens }: Books): void {
  console.table(
    Object.fromEntries(
      fleet.map(({ name, answered, refused, broken }) => [name, { answered, refused, broken }]),
    ),
  );
  const died = fleet.reduce((sum, { broken }) => sum + broken, 0);
  console.table({
    'the purse': { tokens: MAX_TOKENS },
    'spent and reserved, at most': { tokens: most },
    [`served by the model in ${calls} calls`]: { tokens },
    'in the books': { tokens: booked },
  });
  assert.ok(most <= MAX_TOKENS, 'spend and reservations exceeded the purse');
  assert.ok(tokens > 0.9 * MAX_TOKENS, 'the fleet stopped too early');
  assert.ok(booked <= tokens, 'more was booked than the model served');
  assert.ok(tokens - booked <= died * MAX_CALL, 'a served call is missing from the books');
  console.log(LAST);
}
