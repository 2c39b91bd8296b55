import { describe, expect, it } from 'vitest';
import { DifferentOptionsError, LostBooksError } from '../src/errors.ts';

describe('errors of stores', () => {
  it('[RDS17] name the spend that is booked again, however small', () => {
    expect(new LostBooksError('team', 1_234_000).message).toContain('the $0.0012 that');
    expect(new LostBooksError('team', 12_340_000_000).message).toContain('the $12.34 that');
  });

  it('[SRV13] name the options of both processes', () => {
    const differing = [{ name: 'windowMs', own: 'none', before: '1000' }];
    const { message } = new DifferentOptionsError("the budget 'team'", differing);
    expect(message).toMatch(/'team' with windowMs: none, .* before it with windowMs: 1000;/);
  });
});
