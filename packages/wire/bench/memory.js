import { load } from './load.js';
import { start } from './servers/start.js';

const QUARTERS = 4;
const AT_ONCE = 10;

/** Prints what a gateway holds along the way of many calls with long histories. */
export async function printMemory({ calls, length, print }) {
  const model = await start('model');
  const gateway = await start('guarded', model.url);
  print(
    `\nmemory of the gateway over ${calls} calls with ${length} messages each, after a collection of garbage`,
  );
  print('   calls   heap MB   RSS MB');
  for (let quarter = 1; quarter <= QUARTERS; quarter++) {
    await load(gateway.url, {
      calls: calls / QUARTERS,
      atOnce: AT_ONCE,
      length,
      isStreamed: false,
    });
    const { heapMb, rssMb } = await gateway.memory();
    const cells = [heapMb.toFixed(1).padStart(9), rssMb.toFixed(1).padStart(8)];
    print(`${String((calls / QUARTERS) * quarter).padStart(8)} ${cells.join(' ')}`);
  }
  for (const server of [model, gateway]) server.stop();
}
