import { load } from './load.js';
import { start } from './servers/start.js';

/** How much longer a call may take through the gateway than through the bare proxy, at the median and one at a time. */
const TARGET_MS = 1;
const WAYS = ['no proxy', 'bare proxy', 'gateway'];

/** Prints what a call takes straight to a model, through a bare proxy and through the gateway. */
export async function printLatency({ calls, rounds, lengths, atOnce, print }) {
  const model = await start('model');
  const bare = await start('bare', model.url);
  const gateway = await start('guarded', model.url);
  const servers = { 'no proxy': model, 'bare proxy': bare, gateway };
  const added = [];
  for (const length of lengths) {
    for (const isStreamed of [false, true]) {
      const what = isStreamed ? 'first byte of a stream' : 'whole answer';
      print(`\n${what}, ${length} messages, ms`);
      print(row('at once', [...WAYS.map((way) => [way, 'p99']), ['added', 'p99', 'CPU']]));
      for (const count of atOnce) {
        const job = { calls: Math.max(calls, 4 * count), atOnce: count, length, isStreamed };
        const took = await compare(servers, job, rounds);
        const more = difference(took.gateway, took['bare proxy']);
        if (count === 1 && length === lengths[0]) added.push(more.p50);
        const cells = WAYS.map((way) => [took[way].p50, took[way].p99]);
        print(row(count, [...cells, [more.p50, more.p99, more.cpuMs]]));
      }
    }
  }
  for (const server of [model, bare, gateway]) server.stop();
  const most = Math.max(...added);
  const verdict = most <= TARGET_MS ? 'met' : 'missed';
  const said = `the gateway adds ${most.toFixed(2)} ms at the median to the bare proxy`;
  print(`\ntarget ${verdict}: ${said}, one call at a time, of ${TARGET_MS} allowed`);
}

/** The ways take turns, so that no other program slows one of them alone. The first round warms up. */
async function compare(servers, job, rounds) {
  const took = Object.fromEntries(WAYS.map((way) => [way, { times: [], cpuMs: 0 }]));
  for (let round = 0; round <= rounds; round++) {
    for (const way of WAYS) {
      const server = servers[way];
      const isProxy = way !== 'no proxy';
      const before = isProxy ? await server.cpuMs() : 0;
      const times = await load(server.url, job);
      const after = isProxy ? await server.cpuMs() : 0;
      if (round === 0) continue;
      took[way].times.push(...times.map(({ first, end }) => (job.isStreamed ? first : end)));
      took[way].cpuMs += (after - before) / job.calls / rounds;
    }
  }
  return Object.fromEntries(WAYS.map((way) => [way, summarize(took[way])]));
}

function summarize({ times, cpuMs }) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.floor(part * (sorted.length - 1))];
  return { p50: at(0.5), p99: at(0.99), cpuMs };
}

function difference(one, other) {
  return Object.fromEntries(Object.keys(one).map((key) => [key, one[key] - other[key]]));
}

/** A row of a table: groups of columns, the first of each wider. */
function row(head, groups) {
  const cells = groups.flatMap((group) => group.map((cell, i) => text(cell).padStart(i ? 9 : 12)));
  return String(head).padStart(7) + cells.join('');
}

function text(cell) {
  return typeof cell === 'number' ? cell.toFixed(2) : cell;
}
