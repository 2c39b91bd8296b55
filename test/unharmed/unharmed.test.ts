import { describe, expect, it } from 'vitest';
import { SQLITE_NODE } from '../../packages/stores/test/support/sqlite-node.ts';
import { played, unharmed } from './played.ts';

describe.skipIf(SQLITE_NODE === undefined)('the process of a user', () => {
  it.concurrent.each([
    ['stores, listeners, judges and steps', 'core'],
    ['webhooks, telemetry and recordings', 'telling'],
    ['guarded agents and functions', 'guards'],
    ['streams, gateways and pages', 'traffic'],
    ['files', 'files'],
  ])('[HOUSE17] is unharmed by failures of %s', async (_, part) => {
    expect(await played(part)).toEqual(unharmed);
  });

  it('[HOUSE17] is harmed by a promise that floats, an error in a timer, and a failure that is kept quiet', async () => {
    const { problems } = await played('planted');
    expect(problems.map((problem) => problem.split('\n', 1)[0])).toEqual([
      'a promise that floats throws: nobody handles a rejection: Error: a floating fault',
      'a promise that floats throws: nobody catches an error: Error: a fault in a timer',
      ...['throws', 'rejects', 'rejects late'].flatMap((way) => [
        `a failure that nobody hears of ${way}: nothing was asked of it`,
        `a failure that nobody hears of ${way}: 'store' heard of nothing, only `,
      ]),
    ]);
  });
});
