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

  it.each([2, 3, 5, 8, 12, 21, 32])('[REP1] finds rounds of %i', (period) => {
    const round = Array.from({ length: period }, (_, i) => `A>step${i}(same)=done`).join(' ');
    // Long rounds are long standstills as well.
    const options = { idleTurns: 1000 };
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

  it('[ANL4] leaves amounts alone that come down bit by bit, and no ids that jump', () => {
    const offers = (prices: readonly number[]): string =>
      prices
        .map(
          (price, i) =>
            `A:"I could come down to ${price}." B:"I could go up to ${7800 + 200 * i}."`,
        )
        .join(' ');
    expect(repetition(offers([9500, 9300, 9100, 8900, 8800, 8700]))).not.toContain('T');
    expect(repetition(offers([9500, 5300, 2100, 8900, 3800, 7700]))).toContain('T');
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

  it('[REP10] counts the first time that the line was said', () => {
    const rounds = excuses.slice(0, 3).map((text) => `U:"Continue. Please solve it." A:"${text}"`);
    expect(repetition(work + rounds.join(' '), { idleTurns: 6 })).toMatch(/^\.{7}T/);
  });

  it('[REP10] leaves a very short line alone, as it says so little', () => {
    const rounds = excuses.slice(0, 3).map((text) => `U:"Go on, please." A:"${text}"`);
    expect(repetition(work + rounds.join(' '), { idleTurns: 6 })).not.toContain('T');
  });

  it('[REP10] leaves one line alone that gets work done each time', () => {
    const rounds = excuses.map(
      (_, i) => `U:"Continue. Please keep solving." A:"Hall${i + 7} has ${i * 89 + 113} seats."`,
    );
    expect(repetition(work + rounds.join(' '))).not.toContain('T');
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

  it('[REP4] needs one showing more of what was shown before anybody asked for it again', () => {
    const shown = reordered.slice(0, 3).map((page) => `A:"Go on to the next page." B:${page}`);
    expect(repetition(`P?"Send the parcel." ${shown.join(' ')}`)).not.toContain('T');
  });

  const frame = (rows: string): string =>
    `I pressed 'Month view' on Harbour calendar, https://harbour.example/calendar/2031?view=month. The page is 38% shown, from the top of it on. What stands there, as far as it can be read from the picture of the page: ${rows}. Opening hours of the harbour office are from 8 to 17 on working days, and 9 to 12 on all others; the ferry to the islands leaves from pier 14 with 220 seats and takes bicycles as well. ${rows}`;
  const page = (rows: string): string => JSON.stringify(frame(rows));
  const views = [
    'A:"Please open the month view of the harbour calendar."',
    'A:"The calendar is to be seen by month, open that view."',
    'A:"Open what the harbour has for the month in its calendar."',
    'A:"Please, the month, as a view of the calendar."',
  ];
  const noise = [
    'advert for soap',
    'weather is fair, log in',
    'cookies, accept all',
    'news at nine',
  ];

  it('[REP14] trips the third time that a result begins in the very same way, whatever noise is in it', () => {
    const shown = views.slice(0, 3).map((ask, i) => `${ask} B:${page(noise[i] as string)}`);
    expect(repetition(shown.join(' '))).toMatch(/^\.{5}T$/);
  });

  it('[REP14] leaves results alone that begin in the same way and bring news', () => {
    const shown = views.map((ask, i) => {
      const berths = `berth${i * 7 + 11} MV-${i * 391 + 4021}, berth${i * 13 + 90} at ${i * 5 + 11}:40`;
      const ships = `SS-${i * 77 + 1033}, ${i * 1297 + 3100} tons, crew of ${i * 31 + 47}`;
      return `${ask} B:${page(`${berths}, ${ships}, bound for Quay${i * i + 31}`)}`;
    });
    expect(repetition(shown.join(' '))).not.toContain('T');
  });

  const asks = [
    'Please check whether the yeti crab and the spider crab are crustaceans.',
    'Please check whether the yeti crab and the spider crab are crustaceans by searching the web.',
    'Please check whether the yeti crab and the spider crab are crustaceans with reliable sources.',
  ];

  it('[REP12] trips on an ask that comes again in full, with no answer in between', () => {
    expect(repetition(asks.map((ask) => `A:"${ask}"`).join(' '))).toBe('..T');
  });

  it('[REP12] leaves the same asks alone while answers come', () => {
    const answers = ['Kiwa hirsuta, Kiwaidae.', 'Macrocheira kaempferi.', 'Both are Decapoda.'];
    const talk = asks.map((ask, i) => `A:"${ask}" B:"${answers[i]}"`);
    expect(repetition(talk.join(' '))).not.toContain('T');
  });

  it('[REP12] leaves a report alone that grows by what was done since', () => {
    const parts = ['header 12 px', 'footer 31 px', 'sidebar 240 px', 'menu 48 px', 'logo 96 px'];
    const grown = parts.map(
      (_, i) => `A:"The parts of the page that are done now: ${parts.slice(0, i + 1).join(', ')}."`,
    );
    expect(repetition(grown.join(' '))).not.toContain('T');
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
    expect(repetition(patches(() => 1213))).toBe('....T');
  });

  it('[REP13] leaves other code under the same words alone', () => {
    expect(repetition(patches((i) => 1213 + 17 * i * i))).not.toContain('T');
  });

  it('[REP13] leaves the same code alone while it brings new results', () => {
    const runs = excuse.map((text, i) => {
      const shown = JSON.stringify(`${text}\n${patch(1213)}`);
      return `A:${shown} R!exit0(replace):"${40 - 7 * i} warnings left in module${i * i + 3}"`;
    });
    expect(repetition(runs.join(' '))).not.toContain('T');
  });

  it('[REP13] takes no quotation for code', () => {
    const page = JSON.stringify(`The page says:\n\`\`\`\n${fields.join('\n')}\n\`\`\``);
    expect(repetition(`A:"Next page, please." B:${page} `.repeat(3))).toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'repetition.limit'],
    [{ windowSteps: 1 }, 'repetition.windowSteps'],
    [{ maxChants: 1 }, 'repetition.maxChants'],
  ])('[REP9] refuses %j and names the option', (options, option) => {
    expect(() => new RepetitionDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
