import { describe, expect, it } from 'vitest';
import { Breaker } from '../src/index.ts';
import { streams } from '../src/rx.ts';
import { message } from './support/signals.ts';

describe('streams', () => {
  it('[RX1] carry signals, findings and trips as they happen', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    const { signals$, findings$, trips$ } = streams(breaker);
    const seen: string[] = [];
    signals$.subscribe(({ index }) => seen.push(`signal ${index}`));
    findings$.subscribe(({ finding }) => seen.push(`finding ${finding.kind}`));
    trips$.subscribe((trip) => seen.push(`trip ${trip.kind}`));
    breaker.observe(message('a', 'one'));
    breaker.observe(message('b', 'two'));
    expect(seen).toEqual(['signal 0', 'signal 1', 'finding limit', 'trip limit']);
  });

  it('[RX2] tell the state of the main conversation alone', () => {
    const breaker = new Breaker();
    const seen: string[] = [];
    streams(breaker).state$.subscribe((status) => seen.push(status));
    breaker.conversation('other').stop();
    breaker.conversation().stop();
    expect(seen).toEqual(['closed', 'stopped']);
  });

  it('[RX2] begin with the state at the time of subscribing', () => {
    const breaker = new Breaker();
    const { state$ } = streams(breaker);
    breaker.stop();
    const seen: string[] = [];
    state$.subscribe((status) => seen.push(status));
    breaker.reset();
    expect(seen).toEqual(['stopped', 'closed']);
  });

  it('[RX3] let go of the breaker when unsubscribed', () => {
    const breaker = new Breaker();
    let count = 0;
    const subscription = streams(breaker).signals$.subscribe(() => count++);
    breaker.observe(message('a', 'one'));
    subscription.unsubscribe();
    breaker.observe(message('a', 'two'));
    expect(count).toBe(1);
  });
});
