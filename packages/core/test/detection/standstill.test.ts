import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../src/detection/analyzer.ts';
import type { Signal, SignalInput } from '../../src/signal/signal.ts';
import { lastStep } from '../support/steps.ts';

/** How often the agent of the last step has said or called the same by itself; 0 if only once. */
function said(text: string): number {
  return lastStep(text).standstill?.said?.laps ?? 0;
}
function called(text: string, options?: AnalyzerOptions): number {
  return lastStep(text, options).standstill?.called?.laps ?? 0;
}

const quoted = (text: string): string => JSON.stringify(text);
const DRAFT =
  'Tidal power turns the steady rise and fall of the sea into electricity, years ahead of time.';
/** A long text of A, whose model is seen to be asked. */
const long = (text = DRAFT): string => `A#900/40 A:${quoted(text)} `;
/** Others ask for the same in other words. */
const ASKS = [
  'Please make it clearer.',
  'Could you tighten it?',
  'Try it again.',
  'Once more, please.',
];
const asking = (speech: string, asks: readonly string[] = ASKS): string =>
  asks.map((ask) => `B:${quoted(ask)} ${speech}`).join('');

describe('an agent that says the same at length', () => {
  it('[STL1] stands still, in whatever other words it is asked', () => {
    expect(said(asking(long()))).toBe(4);
    expect(lastStep(asking(long())).standstill?.said).toMatchObject({ period: 1, newsAt: 2 });
  });

  it('[STL1] is told apart by other words, and not by case, times and outer white space', () => {
    expect(said(`${long()}${long(DRAFT.replace('sea', 'ocean'))}`)).toBe(0);
    expect(said(`${long()}${long(`  ${DRAFT.toUpperCase()}\n`)}`)).toBe(2);
    expect(
      said(`${long(`${DRAFT} 2025-03-01T11:41:10Z`)}${long(`${DRAFT} 2025-03-02T12:07:55Z`)}`),
    ).toBe(2);
    expect(said(`${long(`${DRAFT} Row 4711.`)}${long(`${DRAFT} Row 4712.`)}`)).toBe(0);
  });

  it('[STL3] does not while nested chats bring new results', () => {
    const asked = (result: (i: number) => string): number =>
      said([1, 2, 3].map((i) => `B{look:"Please look." B}${quoted(result(i))} ${long()}`).join(''));
    expect(asked((i) => `Harbour ${i * 31} has no crane.`)).toBe(0);
    expect(asked(() => 'None of the harbours has a crane.')).toBe(3);
  });

  it('[STL3] begins anew for an agent that others answered, and for no other one', () => {
    const other = DRAFT.replace('Tidal', 'Solar');
    const news = 'C:"Berth 4711 was sold to Okoro." ';
    expect(said(`${long()}${news}B:${quoted(other)} ${long()}${long()}`)).toBe(2);
  });

  it('[STL1] needs a text of at least 15 words', () => {
    const words = 'we will look at the whole plan again and tell you what we think of it'.split(
      ' ',
    );
    const text = (count: number): string => long(words.slice(0, count).join(' '));
    expect(said(asking(text(15)))).toBe(4);
    expect(said(asking(text(14)))).toBe(0);
  });

  it('[STL2] does so with nothing that answers code', () => {
    const code = 'B:"```sh\\nmake\\n```" ';
    expect(said(`${code}${long()}`.repeat(4))).toBe(0);
    expect(said(`B:"Run make, please." ${long()}`.repeat(4))).toBeGreaterThan(2);
  });

  it.each([
    [
      'facts',
      [
        'Rance has 24 turbines.',
        'Sihwa has 10 of them.',
        'Fundy saw 16 metres.',
        'Severn stays at 8600 megawatts.',
      ],
    ],
    [
      'as many new words as make a step new',
      [
        'A lamp keeper climbed narrow stairs at dusk and counted gulls over quiet harbour walls.',
        'Below, his sister mended nets beside warm stoves, humming ballads grandmother brought along.',
        'Some stranger knocked, soaked, shivering, carrying brass compasses whose needles spun wildly.',
      ],
    ],
  ])('[STL3] does not while others bring %s', (_, news) => {
    expect(said(asking(long(), news))).toBe(0);
  });

  it('[STL3] does not while each of its own calls brings something new', () => {
    const pages = [1, 2, 3, 4].map(
      (i) => `A>read(page${i})="${i * 131} rows of table${i}" ${long()}`,
    );
    expect(said(pages.join(''))).toBe(0);
    const same = `A>read(page)="131 rows of table1" ${long()}`;
    expect(said(same.repeat(4))).toBe(4);
  });

  it('[STL3] does not while it hands in one row after the other, though all results are known', () => {
    const rows = [1, 2, 3, 4, 5].map((i) => `A>insert("row ${i}")="ok" ${long()}`);
    expect(said(rows.join(''))).toBe(0);
    const same = `A>insert("row 1")="ok" ${long()}`;
    expect(said(same.repeat(4))).toBe(4);
  });

  it('[STL3] adds up what others bring, from one long text to the next', () => {
    const halves = [
      'Please mind the islands and rivers too.',
      'Perhaps storms, glaciers matter as well.',
    ];
    expect(said(`${long()}B:${quoted(halves[0] as string)} ${long()}`)).toBe(2);
    const both = halves.map((half) => `B:${quoted(half)} `).join('');
    expect(said(`${long()}${both}${both}${long()}`)).toBeLessThan(3);
  });

  it('[STL3] leaves one whose model is not seen alone while any step of others is more than half new', () => {
    const news = [
      'Please make the harbour islands warmer.',
      'Could glaciers follow rivers instead?',
    ];
    const round = (speech: string): string =>
      news.map((ask) => `B:${quoted(ask)} ${speech}`).join('');
    expect(said(`${long()}${round(long())}`)).toBe(3);
    const silent = `A:${quoted(DRAFT)} `;
    expect(said(`${silent}${round(silent)}`)).toBe(0);
  });

  it('[STL4] is prompted by a program if others ask models and it does not', () => {
    const prompt = `A:${quoted(DRAFT)} `;
    expect(lastStep(`B#900/40 B:"Yes." ${prompt}B:"Yes." ${prompt}`).standstill?.isPrompt).toBe(
      true,
    );
    expect(lastStep(`B:"Yes." ${prompt}B:"Yes." ${prompt}`).standstill?.isPrompt).toBe(false);
    expect(lastStep(`B#900/40 B:"Yes." ${long()}B:"Yes." ${long()}`).standstill?.isPrompt).toBe(
      false,
    );
  });

  it('[STL5] compares the latest 30 long texts of all', () => {
    const others = (count: number): string =>
      Array.from({ length: count }, () => `B#900/40 B:${quoted(DRAFT)} `).join('');
    expect(said(`${long()}${others(28)}${long()}`)).toBe(2);
    expect(said(`${long()}${others(29)}${long()}`)).toBe(0);
  });

  describe('[STL7] does not while the team waits', () => {
    const polled = (pauseMs: number, ask = ''): string =>
      `${ask}+${pauseMs} A>status(build)=running ${long()}`.repeat(6);

    it('for a call of its own', () => {
      expect(said(polled(30_000))).toBe(0);
      expect(said(polled(5000))).toBeGreaterThan(2);
    });

    it('for a pause and a call', () => {
      const slept = (ms: number): string => `+${ms} A!exit0(sleep):"" A>status(x)=on ${long()}`;
      expect(said(slept(31_000).repeat(6))).toBe(0);
      expect(said(slept(1000).repeat(6))).toBeGreaterThan(2);
    });

    it('for the call of another agent that it asks', () => {
      const asked = (pauseMs: number): string =>
        `B:${quoted(DRAFT)} +${pauseMs} A>status(build)=running `.repeat(6);
      expect(said(`${asked(30_000)}B:${quoted(DRAFT)}`)).toBe(0);
      expect(said(`${asked(5000)}B:${quoted(DRAFT)}`)).toBeGreaterThan(2);
    });

    it('and no longer once the wait is over', () => {
      const over = `${polled(30_000)}+130000 ${long()}${long()}`;
      expect(said(over)).toBeGreaterThan(2);
    });
  });

  it('[STL8] begins anew when a person speaks, and after ten minutes', () => {
    expect(said(`${long()}${long()}P?"Shorter, please." ${long()}`)).toBe(0);
    expect(said(`${long()}${long()}+600000 ${long()}`)).toBe(0);
    expect(said(`${long()}${long()}+500000 ${long()}`)).toBe(3);
  });

  it('[STL8] counts on when a harness says the same again, which brings nothing', () => {
    expect(said(`${long()}H?"Go on." ${long()}H?"Go on." ${long()}`)).toBe(2);
  });
});

describe('an agent that makes the same call', () => {
  const call = 'A>status(order)=open ';
  const attempts = (times: number): string =>
    Array.from({ length: times }, (_, i) => `${call}A:"Attempt ${i * 31}: still open." `).join('');

  it('[STL6] stands still, whatever it or others say in between', () => {
    expect(called(`${attempts(5)}${call}`)).toBe(6);
    const told = [1, 2, 3, 4, 5].map((i) => `${call}B:"Row ${i * 31} of table${i} is gone." `);
    expect(called(`${told.join('')}${call}`)).toBe(6);
  });

  it.each([
    ['other arguments', `${call}A>status(bill)=open ${call}`],
    ['another result', `${call}A>status(order)=paid ${call}`],
    ['another call of its own in between', `${call}A>clock()=12 ${call}A>clock()=12 ${call}`],
    [
      'a new result of another agent',
      `${call}B>read(a)="12 rows" ${call}B>read(b)="30 rows" ${call}`,
    ],
  ])('[STL6] does not with %s', (_, calls) => {
    expect(called(calls)).toBe(0);
  });

  it('[STL6] does while the calls of others bring nothing', () => {
    expect(
      called(`${call}B>read(a)="12 rows" ${`${call}B>read(a)="12 rows" `.repeat(3)}${call}`),
    ).toBe(4);
  });

  describe('[STL9] begins anew with a task of a program in other words', () => {
    const mails = ['Win a phone', 'Loans offered here', 'Your parcel waits', 'Buy cheap watches'];
    const label = {
      kind: 'tool-call',
      agent: 'A',
      tool: 'label',
      args: {},
      result: 'spam',
    } as const;
    const asked = (task: SignalInput, taskOf: (i: number) => string, model?: string): number => {
      const analyzer = new Analyzer();
      if (model) analyzer.observe({ kind: 'usage', at: 0, agent: model, model: 'm', ...NO_TOKENS });
      const steps = mails.map((_, i) => {
        analyzer.observe({ ...task, at: 100 * i, text: taskOf(i) } as Signal);
        return analyzer.observe({ ...label, at: 100 * i });
      });
      return steps.at(-1)?.standstill?.called?.laps ?? 0;
    };
    const mail = (i: number): string => `Label this mail: ${mails[i]} today.`;
    const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };
    const step = (i: number): string => `Step ${i + 20} of 100: continue.`;
    const input = { kind: 'human-input', agent: 'user', isAutomatic: true } as const;
    const message = { kind: 'message', agent: 'user', role: 'user', text: '' } as const;

    it('that is input', () => {
      expect(asked(input, mail)).toBe(0);
      expect(asked(input, step)).toBe(4);
      expect(
        asked(input, (i) => `[2026-12-01T01:4${i}:12Z] req_8f${i}a1b: 1${i}m ${i}s left`),
      ).toBe(4);
    });

    it('that is a message, if its agent asks no model and others do', () => {
      expect(asked(message, mail, 'A')).toBe(0);
      expect(asked(message, step, 'A')).toBe(4);
      expect(asked(message, mail, 'user')).toBe(4);
      expect(asked(message, mail)).toBe(4);
      expect(asked({ ...message, role: 'assistant' }, mail, 'A')).toBe(4);
    });
  });

  it('[STL7] does not while it waits: for half an hour, and 64 calls', () => {
    const polls = (times: number, waitMs: number, options?: AnalyzerOptions): number =>
      called(`${`${call}+${waitMs} A:"I shall wait." `.repeat(times)}${call}`, options);
    expect(polls(20, 12_000)).toBe(21);
    expect(polls(20, 14_000)).toBe(0);
    expect(polls(62, 30_000)).toBe(0);
    expect(polls(63, 30_000)).toBe(64);
    expect(polls(80, 14_000)).toBe(0);
    expect(polls(80, 14_000, { patienceMs: 600_000 })).toBe(64);
  });

  it('[STL7] does not while its calls themselves take their time', () => {
    const took = (durationMs: number): number => {
      const analyzer = new Analyzer();
      const calls = Array.from({ length: 8 }, (_, i) => {
        const at = 12_000 * i;
        analyzer.observe({ kind: 'message', at, agent: 'B', text: `Row ${i * 31} of table${i}.` });
        const poll = { kind: 'tool-call', agent: 'A', tool: 'status', args: {} } as const;
        return analyzer.observe({ ...poll, at: at + 100, durationMs, result: 'running' });
      });
      return calls.at(-1)?.standstill?.called?.laps ?? 0;
    };
    expect(took(10_000)).toBe(0);
    expect(took(9000)).toBe(8);
  });

  it('[STL7] does once it no longer waits, however long it has', () => {
    const said = (times: number, waitMs: number): string =>
      Array.from(
        { length: times },
        (_, i) => `+${waitMs} ${call}A:"Attempt ${i * 31}: still table${i}." `,
      ).join('');
    expect(called(`${said(10, 120_000)}${call}`)).toBeLessThan(3);
    expect(called(`${said(10, 120_000)}${said(10, 1000)}${call}`)).toBeGreaterThan(9);
  });

  it('[STL7] does not while it tries again after longer and longer waits', () => {
    const retry = (waits: readonly number[]): string =>
      waits.map((ms) => `+${ms} A>get(page)!"500 Server error"`).join(' ');
    expect(called(retry([0, 2000, 4000, 8000]))).toBe(0);
    expect(called(retry([0, 2000, 2000, 2000]))).toBe(4);
  });

  it('[STL8] begins anew when a person speaks, and after ten minutes', () => {
    expect(called(`${call.repeat(4)}P?"Again, please." ${call}`)).toBe(0);
    expect(called(`${call.repeat(4)}+600000 ${call}`)).toBe(0);
  });
});
