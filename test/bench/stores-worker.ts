// A process of the bench: store, places, process, pairs, and how many at once. It says when it is ready, waits for leave to
// begin, and tells the microseconds that each pair took, and how often its server
// was asked for them.
import { once } from 'node:events';
import { STORES, WARM_UP } from './stores.ts';

const [name = '', places = '', process_ = '', pairs = '0', atOnce = '1'] = process.argv.slice(2);
const store = await STORES[name]?.(JSON.parse(places));
if (store === undefined) throw new Error(`no store is called '${name}'`);
const { pair, close, trips } = store;
for (let n = 0; n < WARM_UP; n++) await pair(`${process_}:warm ${n}`);
process.send?.('ready');
await once(process, 'message');

const before = trips?.();
const took: number[] = [];
let next = 0;
const work = async (): Promise<void> => {
  while (next < Number(pairs)) {
    const id = `${process_}:${next++}`;
    const from = performance.now();
    await pair(id);
    took.push(1_000 * (performance.now() - from));
  }
};
await Promise.all(Array.from({ length: Number(atOnce) }, work));
process.send?.({ took, trips: before === undefined ? undefined : (trips?.() ?? 0) - before });
await close();
process.disconnect?.();
