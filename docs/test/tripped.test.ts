import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { CASES, judge } from './tripped/cases.ts';
import { namedIn, rows } from './tripped/rows.ts';

const ROWS = rows().map((row, i) => ({ ...row, ...CASES[i] }));

/** The options that a line of the guide sets. */
function optionsOf(line: string): BreakerOptions {
  return new Function('judge', `return { ${line} }`)(judge);
}

describe('the guide to trips', () => {
  it('[SITE5] has a conversation for each of its rows', () => {
    expect(CASES).toHaveLength(ROWS.length);
  });

  it.each(ROWS)(
    '[SITE5] $kind, $subject, $purse: $line',
    async ({ kind, subject, purse, line, options = {}, user = '', play }) => {
      const breaker = new Breaker({ now: () => 0, ...options });
      const caller = user === '' ? breaker : breaker.for({ user });
      await play?.(caller);
      const { trip } = caller.conversation();
      const expected = kind.startsWith('custom') ? 'custom:shouting' : kind;
      if (!kind.startsWith('The judge')) expect(trip?.kind).toBe(expected);
      const name = namedIn(subject);
      if (name !== undefined) expect(trip?.evidence.subject).toBe(name);
      expect(trip?.evidence.purse).toBe(kind === 'budget' ? namedIn(purse) : undefined);

      if (line.startsWith('breaker.')) {
        new Function('breaker', line)(breaker);
        expect(caller.conversation().state.status).toBe('closed');
        return;
      }
      const changed = new Breaker({ now: () => 0, ...options, ...optionsOf(line) });
      await play?.(changed);
      expect(changed.conversation().trip).toBeUndefined();
    },
  );
});
