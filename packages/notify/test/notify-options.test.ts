import { Breaker, InvalidOptionError } from '@teamfuse/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NotifyOptions, notifyTrips } from '../src/index.ts';
import { notified, settled } from './support/notified.ts';

const url = 'https://hooks.slack.com/services/T0/B0/s3cretPath';
const breaker = new Breaker({ judge: false });

function refusal(options: unknown, of: unknown = breaker): InvalidOptionError {
  try {
    notifyTrips(of as Breaker, options as NotifyOptions);
  } catch (error) {
    return error as InvalidOptionError;
  }
  throw new Error('it was taken');
}

describe('options', () => {
  it.each<[string, object, string]>([
    ['url', {}, 'nothing'],
    ['form', { url, form: 'teams' }, '"teams"'],
    ['attempts', { url, attempts: 0 }, '0'],
    ['timeoutMs', { url, timeoutMs: 0.5 }, '0.5'],
    ['maxPending', { url, maxPending: 0 }, '0'],
    ['attributes', { url, attributes: 'team' }, '"team"'],
    ['attributes', { url, attributes: [1] }, 'an array of 1'],
    ['attributes', { url, attributes: { team: {} } }, 'a value of type object'],
    ['attributes', { url, attributes: { team: Number.NaN } }, 'a value of type object'],
    [
      'attributes',
      { url, attributes: Object.fromEntries([...Array(21).keys()].entries()) },
      'a value of type object',
    ],
    ['onError', { url, onError: 1 }, '1'],
    ['fetch', { url, fetch: 1 }, '1'],
    ['now', { url, now: 1 }, '1'],
    ['random', { url, random: 1 }, '1'],
    ['timers.set', { url, timers: {} }, 'nothing'],
    ['timers.clear', { url, timers: { set: () => 0 } }, 'nothing'],
    ['secret', { url, secret: undefined }, 'nothing'],
  ])('[NTF14] are refused by name: %s', (option, options, received) => {
    const error = refusal(options);
    expect(error).toBeInstanceOf(InvalidOptionError);
    expect(error.message).toMatch(`option '${option}': expected `);
    expect(error.message).toMatch(`received ${received}`);
    expect(error.option).toBe(option);
  });

  it('[NTF14] are suggested where they are misspelt', () => {
    expect(refusal({ url, atempts: 3 }).message).toMatch("did you mean 'attempts'?");
  });

  it.each([{}, null, 'breaker', { on: 1 }])('[NTF14] need a breaker, not %o', (of) => {
    expect(refusal({ url }, of).message).toMatch(/'breaker': expected a Breaker/);
  });

  it.each<[string, object]>([
    ['an address that is none', { url: 'hooks.slack.com/services/s3cretPath' }],
    ['an address of a file', { url: 'file:///s3cretPath' }],
    ['an address with a password', { url: 'https://ann:s3cretPath@hooks.example' }],
    ['an address in the wrong place', { webhook: url }],
    ['an address that is misspelt', { urls: url }],
    ['an address as a list', { url: [url] }],
    ['a short secret', { url, secret: 's3cretPath' }],
    ['a secret that is no base64', { url, secret: `whsec_s3cretPath${'-'.repeat(40)}` }],
    [
      'a secret of a wrong length',
      { url, secret: 'whsec_s3cretPaths3cretPaths3cretPaths3cretPath1' },
    ],
    ['a secret that is misspelt', { url, secrets: 's3cretPath' }],
  ])('[NTF15] are not repeated: %s', (_, options) => {
    const { message, received } = refusal(options);
    expect(`${message} ${received}`).not.toMatch(/s3cret/);
    expect(message).toMatch(/^option '\w+': expected .+, received /);
  });

  it('[NTF15] are not repeated where a text stands in their place', () => {
    expect(refusal(url).message).toBe(
      "option 'options': expected an object, received a value that is not shown",
    );
    expect(refusal({ url, secret: 12_345_678 }).message).not.toMatch(/1234/);
    expect(refusal({ url }, url).message).not.toMatch(/s3cret/);
  });

  it('[NTF15] are in no error, whatever a fetch throws', async () => {
    const secret = 's3cret-s3cret-s3cret-s3cret';
    const thrown = fc.constantFrom(
      new TypeError(`cannot reach ${url}`),
      Object.assign(new Error(url), { code: url }),
      Object.assign(new Error(url), { cause: Object.assign(new Error(secret), { code: secret }) }),
      url,
      undefined,
      null,
    );
    await fc.assert(
      fc.asyncProperty(thrown, async (what) => {
        const fetch = () => Promise.reject(what);
        const all = notified({ url, secret, attempts: 1, fetch });
        all.breaker.stop('enough');
        await settled(all);
        const [error] = all.errors;
        expect(error?.message).toBe('a trip was not told: the request failed');
        expect(`${error?.stack} ${JSON.stringify(error)} ${error?.cause}`).not.toMatch(/s3cret/);
      }),
      { numRuns: 20 },
    );
  });
});
