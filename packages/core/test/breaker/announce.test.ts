import { afterEach, describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';

const LISTENERS = Symbol.for('teamfuse.breakers');
const place = globalThis as { [LISTENERS]?: ((breaker: Breaker) => void)[] };

afterEach(() => {
  delete place[LISTENERS];
});

describe('a new breaker', () => {
  it('[BRK31] is shown to the listeners of the process, in time for its first signal', () => {
    const told: string[] = [];
    place[LISTENERS] = [
      (breaker) => void breaker.on('signal', ({ signal }) => told.push(signal.kind)),
    ];
    new Breaker().observe({ kind: 'message', at: 0, agent: 'a', text: 'Hello' });
    expect(told).toEqual(['message']);
  });

  it('[BRK31] is shown to the next listener where one throws, which is told as error', () => {
    const errors: unknown[] = [];
    let shown = 0;
    place[LISTENERS] = [
      (breaker) => void breaker.on('error', (event) => errors.push(event)),
      () => {
        throw new Error('full');
      },
      () => {
        shown++;
      },
    ];
    new Breaker();
    expect(shown).toBe(1);
    expect(errors).toMatchObject([{ during: 'recording', error: { message: 'full' } }]);
  });
});
