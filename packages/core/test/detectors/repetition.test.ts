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

  it.each([2, 3, 5, 8])('[REP1] finds rounds of %i', (period) => {
    const round = Array.from({ length: period }, (_, i) => `A>step${i}(same)=done`).join(' ');
    // Long rounds are a standstill as well.
    const options = { stopAt: 1000 };
    expect(repetition(`${round} ${round}`, options)).not.toContain('T');
    expect(repetition(`${round} ${round} ${round}`, options)).toMatch(/^\.+T$/);
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

  it.each([
    ['', 'T'],
    ['B>move(part=%)=ok', ''],
    ['B>find(part=%)="stands in line seven, callers: reader, writer, loader"', 'T'],
  ])(
    '[REP2] lets the same be run again after an edit by another, and after nothing else: %s',
    (work, mark) => {
      const names = ['parser', 'printer', 'cache', 'config', 'errors', 'types', 'client', 'server'];
      const rows = names.map((name) => `${work.replace('%', name)} A!exit0(test):"42 passed"`);
      expect(repetition(rows.join(' ')).includes('T')).toBe(mark === 'T');
    },
  );

  it('[REP6] trips on a message that says the same many times within itself', () => {
    const chant = JSON.stringify('I am sorry about that. '.repeat(50));
    expect(repetition(`A:${chant}`)).toBe('T');
  });

  it('[REP7] lets a single word come twice more', () => {
    expect(repetition('A:ok '.repeat(5))).toBe('....T');
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

  const form = (lines: readonly string[]): string =>
    JSON.stringify(
      `Form 4711 of Rheinfeld shows: ${lines.join('. ')}. Origin Rheinfeld 79618, parcel 25 kg, service Nordex-7. ${'Please fill in the fields that are marked and go on with the next page of the form when you are done. '.repeat(2)}`,
    );
  const fields = ['street empty', 'town empty', 'customs number 88 missing'];
  const reordered = [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
    [0, 2, 1],
  ].map((order) => form(order.map((field) => fields[field] as string)));

  it('[REP3] takes the same words in another order for the same', () => {
    const shown = reordered.map((page) => `A:"Go on to the next page." B:${page}`);
    expect(repetition(`P?"Send the parcel." ${shown.join(' ')}`)).toContain('T');
  });

  it('[REP3] leaves a form alone in which a field is filled each time', () => {
    const filled = [
      fields,
      ['street Hauptweg', ...fields.slice(1)],
      ['street Hauptweg', 'town Basel', fields[2] as string],
      ['street Hauptweg', 'town Basel', 'customs number 88 entered as 5530'],
    ].map((lines) => `A:"Go on to the next page." B:${form(lines)}`);
    expect(repetition(`P?"Send the parcel." ${filled.join(' ')}`)).not.toContain('T');
  });

  const excuse = [
    'Still refused, once more with care.',
    'The same error, so I try it again.',
    'It persists; I check it and repeat.',
    'As before; let me make sure of it.',
    'Again refused, and again I try.',
  ];
  const patch = (line: number): string =>
    `\`\`\`python\nreplace('wcs.py', ${line}, 'return []')\n\`\`\``;
  const patches = (lineOf: (i: number) => number): string =>
    excuse.map((text, i) => `A:${JSON.stringify(`${text}\n${patch(lineOf(i))}`)}`).join(' ');

  it('[REP13] trips on code that is shown again and again, whatever is said around it', () => {
    expect(repetition(patches(() => 1213))).toMatch(/^\.{3,4}T/);
  });

  it('[REP13] leaves other code under the same words alone', () => {
    expect(repetition(patches((i) => 1213 + 17 * i * i))).not.toContain('T');
  });

  it('[REP13] takes no quotation for code', () => {
    const page = JSON.stringify(`The page says:\n\`\`\`\n${fields.join('\n')}\n\`\`\``);
    expect(repetition(`A:"Next page, please." B:${page} `.repeat(3))).toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'repetition.limit'],
    [{ stopAt: -1 }, 'repetition.stopAt'],
    [{ maxSelfRepetitions: 1 }, 'repetition.maxSelfRepetitions'],
  ])('[REP9] refuses %j and names the option', (options, option) => {
    expect(() => new RepetitionDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
