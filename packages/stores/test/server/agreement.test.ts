import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Agreement, type CommonOptions, newsIn } from '../../src/agreement.ts';
import type { DifferentOptionsError } from '../../src/errors.ts';

const later = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

/** A server that notes options, and a line to it on which answers are lost. */
class Notes {
  noted: CommonOptions = {};
  /** Which answers are lost, from the next on. */
  readonly lost: boolean[] = [];

  begin(own: CommonOptions) {
    const told: DifferentOptionsError[] = [];
    const tell = (error: unknown) => told.push(error as DifferentOptionsError);
    const ask = async (options: CommonOptions, known: CommonOptions) => {
      const before = this.noted;
      if (newsIn(before, options, known).length === 0) this.noted = { ...before, ...options };
      if (this.lost.shift() === true) throw new Error('connection reset');
      return before;
    };
    return { agreement: new Agreement({ what: 'it', own, ask, tell }), told };
  }
}

describe('the options of processes', () => {
  it('[SRV13] are compared with a later answer where one was lost, whatever it would have said', async () => {
    for (const lost of [[true], [false, true], [true, true], [true, false, true]]) {
      const notes = new Notes();
      notes.begin({ zone: 'UTC' }).agreement.seek();
      await later();
      const { agreement, told } = notes.begin({ zone: 'CET' });
      notes.lost.push(...lost);
      for (let i = 0; i < 5; i++) {
        agreement.seek();
        await later();
      }
      expect(told).toMatchObject([{ options: [{ name: 'zone', own: 'CET', before: 'UTC' }] }]);
      expect(notes.noted).toEqual({ zone: 'CET' });
    }
  });

  it('[SRV13] that differ are told to one of two, whichever asks first and whatever is lost', async () => {
    const side = fc.constantFrom('one', 'other');
    await fc.assert(
      fc.asyncProperty(fc.array(side), fc.array(fc.boolean()), async (turns, lost) => {
        const notes = new Notes();
        const both = { one: notes.begin({ zone: 'UTC' }), other: notes.begin({ zone: 'CET' }) };
        notes.lost.push(...lost);
        for (const turn of [...turns, ...lost.map(() => 'one'), ...lost.map(() => 'other')]) {
          both[turn as keyof typeof both].agreement.seek();
          if (turns.length % 2 === 0) await later();
        }
        notes.lost.length = 0;
        for (let i = 0; i < 3; i++) {
          for (const { agreement } of Object.values(both)) agreement.seek();
          await later();
        }
        const times = [both.one.told.length, both.other.told.length];
        expect(Math.max(...times)).toBe(1);
      }),
      { numRuns: 50 },
    );
  });

  it('[SRV13] are asked about no more than sixteen times where others change them each time', async () => {
    let asked = 0;
    const ask = async (): Promise<CommonOptions> => ({ zone: String(++asked) });
    const told: unknown[] = [];
    const parts = {
      what: 'it',
      own: { zone: 'UTC' },
      ask,
      tell: (error: unknown) => told.push(error),
    };
    new Agreement(parts).seek();
    for (let i = 0; i < 40; i++) await later();
    expect([asked, told.length]).toEqual([16, 1]);
  });
});
