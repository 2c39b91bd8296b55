import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../src/index.ts';

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

  it('[CLK3] lets its timers ring at their time and in their order, those that are set meanwhile included', () => {
    const clock = new FakeClock(5);
    const rung: [string, number][] = [];
    const { set, clear } = clock.timers;
    const ring = (name: string) => (): number => rung.push([name, clock.now()]);
    set(ring('late'), 20);
    set(() => set(ring('inner'), 2), 3);
    clear(set(ring('cleared'), 4));
    expect(clock.waiting).toBe(2);
    clock.advance(19);
    expect(rung).toEqual([['inner', 10]]);
    clock.advance(1);
    expect(rung).toEqual([
      ['inner', 10],
      ['late', 25],
    ]);
    expect([clock.now(), clock.waiting]).toEqual([25, 0]);
  });
});
