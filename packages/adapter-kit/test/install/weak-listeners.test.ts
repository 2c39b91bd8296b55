import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker, type Finding } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext } from '../../src/index.ts';

const FINDING: Finding = {
  level: 'warn',
  kind: 'repetition',
  reason: 'the same thing again',
  evidence: { agents: [], indices: [], count: 1, limit: 1 },
};

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const MOST_TURNS = 10_000;

/** Waits until the runtime tells of something that is gone, which it does late on a busy machine. */
async function collectorTells(): Promise<void> {
  let isTold = false;
  const registry = new FinalizationRegistry(() => {
    isTold = true;
  });
  registry.register({}, undefined);
  for (let turn = 0; turn < MOST_TURNS && !isTold; turn++) {
    await setImmediate();
    collectGarbage();
  }
}

/** Installs a guard that nobody keeps or uninstalls. */
function leaveOne(breaker: Breaker): void {
  new GuardContext(breaker).listen();
}

describe('what outlives a guard', () => {
  it('[KIT71] a breaker does not keep guards that nobody uninstalls', async () => {
    const breaker = new Breaker();
    const { listeners } = new GuardContext(breaker).shared;
    for (let at = 0; at < 50; at++) leaveOne(breaker);
    expect(listeners.size).toBe(50);
    await collectorTells();
    for (let at = 0; at < 20 && listeners.size > 0; at++) {
      await setImmediate();
      collectGarbage();
    }
    expect(listeners.size).toBe(0);
  });

  it('[KIT71] a guard that is kept goes on hearing its breaker', async () => {
    const breaker = new Breaker({ repetition: { limit: 2 }, reaction: 'warn' });
    const context = new GuardContext(breaker);
    context.listen();
    await setImmediate();
    collectGarbage();
    for (let at = 0; at < 6; at++) {
      breaker.observe({ kind: 'message', at, agent: 'writer', text: 'The same draft.' });
    }
    expect(context.takeNudge()).toBeDefined();
  });

  it('[KIT72] warnings that nobody takes stay bounded', () => {
    const { nudges } = new GuardContext(new Breaker());
    for (let at = 0; at < 1000; at++) {
      nudges.add('', { ...FINDING, reason: `loop ${at}` });
      nudges.add(`run ${at + 2000}`, FINDING);
    }
    for (let at = 0; at < 100; at++) nudges.add(`run ${at}`, FINDING);
    expect(nudges.pending('').length).toBeLessThanOrEqual(16);
    expect(nudges.pending('run 2000')).toEqual([]);
    expect(nudges.pending('run 99')).toHaveLength(1);
  });
});
