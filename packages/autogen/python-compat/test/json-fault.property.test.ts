import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonFault } from '../src/json-fault.ts';

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it('[PYC4] finds a fault exactly where JSON.parse refuses a text without NaN and Infinity', () => {
  const soup = fc.string({
    unit: fc.constantFrom(...'{}[]",:\\u0019-.eE+ \ntrufalsn'),
    maxLength: 24,
  });
  const bitten = fc
    .tuple(fc.json(), fc.nat(40), soup)
    .map(([json, at, noise]) => json.slice(0, at) + noise + json.slice(at));
  fc.assert(
    fc.property(fc.oneof(fc.json(), soup, bitten), (text) => {
      expect(findJsonFault(text) === undefined).toBe(accepts(text));
    }),
  );
});
