import { readOptions } from '@teamfuse/core/options';
import { circuitStoreContract, FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { aTrip } from '../../../core/test/support/signals.ts';
import {
  type Changes,
  SERVER_CIRCUIT_OPTIONS,
  type ServerCircuitOptions,
  ServerCircuitStore,
} from '../../src/server/index.ts';
import { CircuitBooks } from '../support/circuit-books.ts';

/** A store that is woken by its server. */
class Woken extends ServerCircuitStore {
  constructor(books: CircuitBooks, options: ServerCircuitOptions = {}) {
    super(books, readOptions<ServerCircuitOptions, 'timers'>('', options, SERVER_CIRCUIT_OPTIONS));
    const before = books.changed;
    books.changed = () => {
      before();
      this.wake();
    };
  }
}

const stop = (reason: string) => ({ type: 'stop', trip: aTrip(reason) }) as const;

describe('circuits on a server', () => {
  const fleets = new Map<string, CircuitBooks>();
  const { timers } = new FakeClock();
  const checks = circuitStoreContract(({ fleet, now }) => {
    const books = fleets.get(fleet) ?? new CircuitBooks(now);
    fleets.set(fleet, books);
    return new Woken(books, { timers });
  });
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);

  it('[SVC1] are read once more after a change that came while they were read', async () => {
    const books = new CircuitBooks(() => 0);
    const answers: (() => void)[] = [];
    const since = books.since.bind(books);
    // What is read is what was known when it was asked for.
    books.since = async (known): Promise<Changes> => {
      const changes = await since(known);
      await new Promise<void>((resolve) => answers.push(resolve));
      return changes;
    };
    const store = new Woken(books, { timers });
    const heard: string[] = [];
    const following = store.follow((changes) => {
      heard.push(...changes.map(({ id }) => id));
    });
    await expect.poll(() => answers.length).toBe(1);
    await store.apply('a', stop('one'), 1_000);
    await store.apply('b', stop('two'), 1_000);
    answers[0]?.();
    await following.known;
    expect(heard).toEqual([]);
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await expect.poll(() => heard).toEqual(['a', 'b']);
    expect(answers).toHaveLength(2);
    store.close();
  });

  it('[SVC2] count as closed where a server that tells all does not tell of them', async () => {
    const books = new CircuitBooks(() => 0);
    const clock = new FakeClock();
    const store = new Woken(books, { timers: clock.timers });
    await store.apply('a', stop('one'), 1_000);
    const heard: string[] = [];
    const following = store.follow((changes) => {
      heard.push(...changes.map(({ id, state }) => `${id} ${state.status}`));
    });
    await following.known;
    books.since = async () => ({ version: 9, isAll: true, changes: [] });
    clock.advance(1_000);
    await expect.poll(() => heard).toEqual(['a stopped', 'a closed']);
    store.close();
  });

  it('[SVC5] are flushed once the server has the changes that were made before', async () => {
    const books = new CircuitBooks(() => 0);
    const apply = books.apply.bind(books);
    let arrive = (): void => {};
    books.apply = (change) =>
      new Promise((resolve) => {
        arrive = () => resolve(apply(change));
      });
    const store = new Woken(books, { timers });
    const order: string[] = [];
    const changed = store.apply('a', stop('one'), 1_000).then(() => order.push('changed'));
    const flushed = store.flush().then(() => order.push('flushed'));
    arrive();
    await Promise.all([changed, flushed]);
    expect(order).toEqual(['changed', 'flushed']);
    books.apply = () => Promise.reject(new Error('connection refused'));
    store.apply('a', stop('two'), 1_000).catch(() => {});
    await expect(store.flush()).rejects.toMatchObject({ code: 'UNREACHABLE_SERVER' });
  });

  it('[SVC3] are not asked for after the end', async () => {
    const books = new CircuitBooks(() => 0);
    const clock = new FakeClock();
    const store = new Woken(books, { timers: clock.timers });
    const followings = [store.follow(() => {}), store.follow(() => {})];
    for (const { known } of followings) await known;
    let asked = 0;
    books.since = async (version) => {
      asked++;
      return { version, isAll: false, changes: [] };
    };
    followings[0]?.end();
    clock.advance(1_000);
    expect(asked).toBe(1);
    store.close();
    clock.advance(10_000);
    expect(asked).toBe(1);
  });
});
