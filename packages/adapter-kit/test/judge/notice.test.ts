import { setImmediate } from 'node:timers/promises';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardOptions } from '../../src/index.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const warnings: Error[] = [];
const hear = (warning: Error): unknown => warnings.push(warning);
let kit: typeof import('../../src/index.ts');

beforeEach(async () => {
  // As in a process that has just begun: tests share their modules.
  vi.resetModules();
  kit = await import('../../src/index.ts');
  warnings.length = 0;
  process.on('warning', hear);
});
afterEach(() => {
  process.off('warning', hear);
});

/** Installs a guard without a judge, in most cases, and waits for warnings. */
async function install(
  breaker: Breaker | BreakerOptions = {},
  options: GuardOptions = {},
  name = 'gpt-4o-mini',
): Promise<void> {
  const used = breaker instanceof Breaker ? breaker : new Breaker(breaker);
  const { model } = scriptedModel({ probability: 0 }, name);
  new kit.GuardContext(used, options).lendJudge(name === '' ? undefined : model);
  await setImmediate();
}

describe('a guard without a judge', () => {
  it('[KIT81] says nothing where there is one, none is wanted, or none could be asked', async () => {
    await install({ judge: () => 0 });
    await install({ judge: false });
    await install({}, { judge: false });
    await install({}, { judge: true });
    await install({ judge: true });
    await install({ excerpts: false });
    await install({}, {}, '');
    await install({}, {}, 'replay');
    const lent = new Breaker();
    internalsOf(lent).judges.lend(() => 0);
    await install(lent);
    expect(warnings).toEqual([]);
  });

  it('[KIT81] says once in a process what it does not see, and how to change that', async () => {
    await install();
    await install();
    expect(warnings).toMatchObject([
      { name: 'TeamfuseWarning', message: expect.stringContaining('judge: true') },
    ]);
    expect(warnings[0]?.message).toContain('judge: false');
  });
});
