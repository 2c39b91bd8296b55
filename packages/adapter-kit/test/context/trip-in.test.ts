import { Breaker, type Trip, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext, tripIn } from '../../src/index.ts';

const TRIP = { kind: 'manual', reason: 'enough' } as unknown as Trip;
const refusal = new TrippedError(TRIP);

describe('a refusal', () => {
  it.each<[string, unknown]>([
    ['the error itself', refusal],
    ['its cause', new Error('wrapped', { cause: refusal })],
    ['the cause of its cause', new Error('a', { cause: { cause: refusal } })],
  ])('[KIT49] is found in %s', (_, error) => {
    expect(tripIn(error)).toBe(TRIP);
  });

  it('[KIT49] is found in nothing else', () => {
    const circle = new Error('a');
    circle.cause = new Error('b', { cause: circle });
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const error of [circle, revoked, undefined, null, 'trip', 3, () => refusal]) {
      expect(tripIn(error)).toBeUndefined();
    }
  });

  it('[KIT49] or a cancellation is what cut work off', () => {
    const context = new GuardContext(new Breaker());
    const live = new AbortController().signal;
    expect(context.isCutOff(refusal)).toBe(true);
    expect(context.isCutOff(new Error('no luck'), AbortSignal.abort())).toBe(true);
    expect(context.isCutOff(new Error('no luck'), live)).toBe(false);
    expect(context.isCutOff(new Error('no luck'))).toBe(false);
  });
});
