import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { internalsOf } from '../../src/kit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const MOST_TURNS = 100;
const AT_ONCE = 100;
const ROUNDS = 10;

/** Uses conversations side by side, and forgets all of them. */
function passing(breaker: Breaker): readonly WeakRef<object>[] {
  const all = Array.from({ length: AT_ONCE }, (_, n) => breaker.conversation(`conversation ${n}`));
  for (const one of all) {
    one.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A draft.' });
  }
  for (const { id } of all) internalsOf(breaker).conversations.forget(id);
  return all.map((one) => new WeakRef(one));
}

it('[CNV12] keeps nothing of conversations that were forgotten before there were too many', async () => {
  const breaker = new Breaker();
  const passed = Array.from({ length: ROUNDS }, () => passing(breaker)).flat();
  const kept = (): number => passed.filter((one) => one.deref() !== undefined).length;
  for (let turn = 1; turn <= MOST_TURNS; turn++) {
    // What a job has looked at through a weak reference is kept until the job is over.
    await setImmediate();
    collectGarbage();
    await setImmediate();
    if (turn % 10 === 0 && kept() <= AT_ONCE) break;
  }
  expect(kept()).toBeLessThanOrEqual(AT_ONCE);
});
