import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker, type Conversation } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { type CircuitStore, MemoryCircuitStore, shared } from '../../src/fleet/index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const MOST_TURNS = 100;
const BREAKERS = 100;

it('[SHC13] follows for as long as anybody has the breaker, or a conversation of it', async () => {
  const memory = new MemoryCircuitStore();
  let followers = 0;
  const store: CircuitStore = {
    apply: (...change) => memory.apply(...change),
    follow: (changed) => {
      followers++;
      const { known, end } = memory.follow(changed);
      const ended = (): void => {
        followers--;
        end();
      };
      return { known, end: ended };
    },
  };
  /** Makes a breaker for a request, and gives its conversation. */
  const request = (id: string): Conversation =>
    new Breaker({ circuits: shared(store) }).conversation(id);
  const kept = request('kept');
  for (let n = 1; n < BREAKERS; n++) request(`chat ${n}`);
  expect(followers).toBe(BREAKERS);
  for (let turn = 0; turn < MOST_TURNS && followers > BREAKERS / 10; turn++) {
    // What a job has looked at through a weak reference is kept until the job is over.
    await setImmediate();
    collectGarbage();
    await setImmediate();
  }
  expect(followers).toBeLessThanOrEqual(BREAKERS / 10);
  request('kept').stop('enough');
  expect(kept.state.status).toBe('stopped');
});
