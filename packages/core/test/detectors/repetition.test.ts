import { describe, expect, it } from 'vitest';
import { RepetitionDetector, type RepetitionOptions } from '../../src/detectors/repetition.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

function repetition(text: string, options?: RepetitionOptions): string {
  return timeline(new RepetitionDetector(options), transcript(text));
}

describe('RepetitionDetector', () => {
  it('[REP1] trips at the third time the same is said with nothing new in between', () => {
    expect(repetition('A:"I will look into it now." '.repeat(3))).toBe('..T');
  });

  it('[REP1] trips at the second time where the limit is two', () => {
    expect(repetition('A:"I will look into it now." '.repeat(2), { limit: 2 })).toBe('.T');
  });

  it.each([2, 3, 5, 8, 12])('[REP1] finds rounds of %i', (period) => {
    const round = Array.from({ length: period }, (_, i) => `A>step${i}(same)=done`).join(' ');
    expect(repetition(`${round} ${round}`)).not.toContain('T');
    expect(repetition(`${round} ${round} ${round}`)).toContain('T');
  });

  it('[REP1] leaves the same call alone while its result changes', () => {
    const calls = [40, 31, 22, 17, 9, 3, 0].map((open) => `A>open_orders(all)=${open}`).join(' ');
    expect(repetition(calls)).toBe('.......');
  });

  it('[REP1] takes arguments in another order for the same', () => {
    const calls = 'A>get({"a":1,"b":2})=x A>get({"b":2,"a":1})=x A>get({"a":1,"b":2})=x';
    expect(repetition(calls)).toBe('..T');
  });

  it('[REP2] finds the calls of one agent while others get on', () => {
    const rows = Array.from(
      { length: 8 },
      (_, i) => `A>timetable(line7)=empty B:"Valley${i} has ${i * 311 + 47} beds in house${i}."`,
    );
    expect(repetition(rows.join(' '))).toContain('T');
  });

  it('[REP6] trips on a message that says the same many times within itself', () => {
    const chant = JSON.stringify('I am sorry about that. '.repeat(50));
    expect(repetition(`A:${chant}`)).toBe('T');
  });

  it('[REP7] lets a very short line come more often', () => {
    expect(repetition('A:ok '.repeat(4))).toBe('....');
  });

  it('[REP7] takes empty messages for a loop', () => {
    expect(repetition('A:"" B:"" '.repeat(6))).toContain('T');
  });

  it('[REP8] leaves a tool alone that is polled with a pause', () => {
    expect(repetition('A>status(job7)=running +60000 '.repeat(12))).not.toContain('T');
  });

  it('[REP8] trips on the same polling without the pause', () => {
    expect(repetition('A>status(job7)=running '.repeat(12))).toContain('T');
  });

  const excuses = [
    'I am sorry, the price of the drinks is missing, so I cannot say what the change is.',
    'Sorry for the confusion; without the price of the drinks I cannot say the change.',
    'Without the missing price of the drinks the change cannot be said, I am sorry.',
    'As said, the price of the drinks is missing, and without it I cannot say the change.',
    'I am sorry, but without a price of the drinks the change is not to be said.',
  ];
  const work = 'S:"Hall4 has 312 seats." T:"Hall5 has 87 seats." S:"Hall6 has 140 seats." ';

  it('[REP10] trips on one line said over and over, whatever apologies come back', () => {
    const rounds = excuses.map((text) => `U:"Continue. Please keep solving." A:"${text}"`);
    expect(repetition(work + rounds.join(' '))).toContain('T');
  });

  it('[REP10] leaves one line alone that gets work done each time', () => {
    const rounds = excuses.map(
      (_, i) => `U:"Continue. Please keep solving." A:"Hall${i + 7} has ${i * 89 + 113} seats."`,
    );
    expect(repetition(work + rounds.join(' '))).not.toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'repetition.limit'],
    [{ limit: 5, windowSteps: 4 }, 'repetition.windowSteps'],
    [{ maxChants: 1 }, 'repetition.maxChants'],
  ])('[REP9] refuses %j and names the option', (options, option) => {
    expect(() => new RepetitionDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
