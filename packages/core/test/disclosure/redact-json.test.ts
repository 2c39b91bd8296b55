import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactJson } from '../../src/kit.ts';

const key = `sk-proj-${'a1B2c3D4e5F6g7H8'}`;

describe('redactJson', () => {
  it('[RED11] takes secrets out of texts and names at any depth, and all texts and numbers out of a secret field', () => {
    const given = {
      say: `use ${key}`,
      [key]: 1,
      login: [{ password: 'hunter', api_key: ['one', { inner: 'two' }] }],
      credentials: { login: 'ada', pin: 1234, isSet: true, more: [{ value: null }] },
      pwd: { raw: 'hunter2' },
    };
    expect(redactJson(given)).toEqual({
      say: 'use [redacted]',
      '[redacted]': 1,
      login: [{ password: '[redacted]', api_key: ['[redacted]', { inner: '[redacted]' }] }],
      credentials: { login: '[redacted]', pin: '[redacted]', isSet: true, more: [{ value: null }] },
      pwd: { raw: '[redacted]' },
    });
  });

  it('[RED11] goes by a function of the caller where there is one', () => {
    expect(redactJson(['a', { b: 'c' }], (text) => text.toUpperCase())).toEqual(['A', { B: 'C' }]);
  });

  it('[RED11] leaves data without secrets as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(redactJson(json, (text) => text.replace(key, ''))).toEqual(
          JSON.parse(JSON.stringify(json)),
        );
      }),
    );
  });
});
