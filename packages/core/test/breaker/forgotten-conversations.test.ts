import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { internalsOf } from '../../src/kit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const MOST_TURNS = 1_000;
const COUNT = 600;

/** Uses a conversation that is forgotten at once. */
function passing(breaker: Breaker, id: string): WeakRef<object> {
  const conversation = breaker.conversation(id);
  conversation.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A draft.' });
  internalsOf(breaker).conversations.forget(id);
  return new WeakRef(conversation);
}

it('[CNV12] keeps nothing of conversations that were forgotten before there were too many', async () => {
  const breaker = new Breaker();
  const passed = Array.from({ length: COUNT }, (_, n) => passing(breaker, `conversation ${n}`));
  const kept = (): number => passed.filter((one) => one.deref() !== undefined).length;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    // What a job has looked at through a weak reference is kept until the job is over.
    await setImmediate();
    collectGarbage();
    await setImmediate();
    if (turn % 10 === 9 && kept() <= COUNT / 4) break;
  }
  expect(kept()).toBeLessThanOrEqual(COUNT / 4);
});
