import { describe, expect, it } from 'vitest';
import { keepPromises } from './promises.ts';
import { simulate } from './simulate.ts';

describe('many conversations at once, in virtual time', () => {
  it('[BUD19] keep every promise, in 20,000 steps', () => keepPromises(1, 20_000));

  it('[BUD19] live through the same for the same seed', async () => {
    expect(await simulate(42, 1)).toEqual(await simulate(42, 1));
  });
});
