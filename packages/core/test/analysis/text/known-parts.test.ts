import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/analysis/analyzer.ts';
import type { Step } from '../../../src/analysis/step.ts';
import type { Signal } from '../../../src/signal/signal.ts';

/** The steps that messages come to, said by `A` and `B` in turn. */
function said(...texts: readonly string[]): readonly Step[] {
  const analyzer = new Analyzer();
  return texts.map((text, i) => {
    const signal: Signal = { kind: 'message', at: i * 1000, agent: i % 2 === 0 ? 'A' : 'B', text };
    return analyzer.observe(signal);
  });
}

function lastIdleness(...texts: readonly string[]): number | undefined {
  return said(...texts).at(-1)?.idleness;
}

const list = (...boxes: readonly string[]): string =>
  ['label', 'unplug', 'move', 'connect', 'test']
    .map((work, i) => `${boxes[i]} ${work} every cable of the rack`)
    .join('\n');

describe('what says something though all its parts are known', () => {
  it.each([
    ['[ ]', '[x]'],
    ['☐', '☑'],
    ['⬜', '✅'],
  ])('[ANL11] is a list with one more tick: %s', (open, done) => {
    const before = list(done, open, open, open, open);
    expect(lastIdleness(before, 'Unplugged.', list(done, done, open, open, open))).toBe(0);
    expect(lastIdleness(before, 'Unplugged.', before)).toBeGreaterThan(0);
  });

  it('[ANL11] is no subscript and no single box', () => {
    const before = 'Please set a[x] to the last value of the first column.';
    const after = 'Please set the last value of the first column to a[x].';
    expect(lastIdleness(before, 'Done.', after)).toBeGreaterThan(0);
    expect(lastIdleness(`[ ] ${before}`, 'Done.', `[x] ${before}`)).toBeGreaterThan(0);
  });

  it('[ANL11] is a formula of known names and numbers', () => {
    const before = ['3x + 2 = 2x + 7', 'Go on.', '2 + 7 = 3x + 2x', 'Go on.'];
    expect(lastIdleness(...before, '2x + 2 = 7 + 3x')).toBe(0);
  });

  it.each(['3x + 2 = 2x + 7', '2 + 3x = 2x + 7', '7 + 2x = 3x + 2'])(
    '[ANL11] is no formula that is only turned round: %s',
    (again) => {
      const before = ['3x + 2 = 2x + 7', 'Go on.', '2 + 7 = 3x + 2x', 'Go on.'];
      expect(lastIdleness(...before, again)).toBeGreaterThan(0);
    },
  );

  it('[ANL11] is no sentence with an equals sign in it', () => {
    const before = 'We agreed that total = 7 would be the final answer for order 12.';
    const after = 'The final answer for order 12 we agreed would be that total = 7.';
    expect(lastIdleness(before, 'Yes.', after)).toBeGreaterThan(0);
  });
});

describe('a line that is repeated', () => {
  const fresh = 'Wandering poets gather chestnut leaves beneath velvet curtains.';

  it('[ANL10] is as idle as the fresh line of another', () => {
    const [line, echo] = said(fresh, fresh);
    expect(line?.idleness).toBeGreaterThan(0);
    expect(echo?.idleness).toBe(line?.idleness);
  });

  it('[ANL10] is no progress, even where the line is', () => {
    const [line, echo] = said('Hall4 has 312 seats.', 'Hall4 has 312 seats.');
    expect(line?.idleness).toBe(0);
    expect(echo?.idleness).toBeGreaterThan(0);
  });

  it('[ANL10] is idle once the line is not fresh any more', () => {
    expect(lastIdleness(fresh, fresh, fresh, fresh)).toBeGreaterThanOrEqual(0.4);
  });

  it('[ANL7] is frozen if its author says it again, and not if it is one of a few answers', () => {
    const asked = ['Lanterns drift along harbours.', 'Copper kettles sing.', 'Foxes dance softly.'];
    const mixed = ['Send it to the water office.', 'Send it to the street office.'];
    const answers = (choice: (i: number) => string | undefined): readonly string[] =>
      asked.flatMap((line, i) => [line, choice(i) ?? '']);
    const last = 'Gentle clouds whisper.';
    const frozen = lastIdleness(...answers(() => mixed[0]), last) ?? 0;
    expect(lastIdleness(...answers((i) => mixed[i % 2]), last)).toBeLessThan(frozen);
  });
});

describe('words of scripts that write vowels as marks', () => {
  it('[ANL12] mean something though they are written with few letters', () => {
    const [step] = said('नाव लाल पतंग छेद');
    expect(step?.said?.newWords).toBe(4);
  });

  it('[ANL12] of Vietnamese mean something by each syllable with its tone', () => {
    const [step] = said('trẻ dưới mười tuổi');
    expect(step?.said?.newWords).toBe(4);
  });

  it('[ANL12] are as short as they are spoken: marks are no letters', () => {
    const [step] = said('में से की को');
    expect(step?.said?.newWords).toBe(0);
  });

  it.each(['पानी नहीं आया।', 'الجرس فوق العش،'])(
    '[ANL12] end before a sentence mark: %s',
    (sentence) => {
      const [, again] = said(sentence.slice(0, -1), sentence);
      expect(again?.said?.newWords).toBe(0);
      expect(said(sentence, 'x', sentence.slice(0, -1)).at(-1)?.deed?.repeats).toBe(1);
    },
  );

  it('[ANL12] are no numbers, and their digits are', () => {
    expect(said('१४ ४४७१')[0]?.said?.figures).toBe(2);
  });
});
