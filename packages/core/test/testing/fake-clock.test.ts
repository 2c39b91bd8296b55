import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { FakeClock } from '../../src/testing/index.ts';

describe('FakeClock', () => {
  it('[CLK1] stands still until it is moved, in either direction', () => {
    const clock = new FakeClock(5);
    expect([clock.now(), clock.now()]).toEqual([5, 5]);
    clock.advance(10);
    expect(clock.now()).toBe(15);
    clock.advance(-15);
    expect(clock.now()).toBe(0);
  });

  it('[CLK2] serves a breaker as its clock', () => {
    const clock = new FakeClock();
    const breaker = new Breaker({ now: clock.now });
    clock.advance(60_000);
    expect(breaker.stop().at).toBe(60_000);
  });
});
