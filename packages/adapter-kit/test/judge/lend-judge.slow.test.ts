import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { expect, it } from 'vitest';
import { guard } from '../support/guard.ts';
import { scriptedModel } from '../support/scripted-model.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('[KIT71] the judge that a guard lends goes with a guard that nobody uninstalls', async () => {
  const breaker = new Breaker();
  const leave = (): void => {
    guard(breaker, { judge: true }, scriptedModel({ probability: 0 }).model);
  };
  for (let at = 0; at < 5; at++) leave();
  for (let at = 0; at < 50 && internalsOf(breaker).judges.current !== undefined; at++) {
    await setImmediate();
    collectGarbage();
  }
  expect(internalsOf(breaker).judges.current).toBeUndefined();
});
