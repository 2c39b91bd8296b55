import { timeline, transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { NORMAL } from '../../../src/detection/detectors/built-in-detector.ts';
import {
  RepetitionDetector,
  type RepetitionOptions,
} from '../../../src/detection/detectors/repetition.ts';

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

  /** One call of A over and over, and what comes after each. */
  const calling = (between: (i: number) => string): string =>
    Array.from({ length: 8 }, (_, i) => `A>timetable(line7)=empty ${between(i)}`).join(' ');

  it('[REP2] leaves the calls of one agent alone while those of others get on', () => {
    const found = calling((i) => `B>beds(valley${i})="${i * 311 + 47} in house${i}"`);
    expect(repetition(found)).not.toContain('T');
  });

  it('[REP12] trips at twice as many equal calls, whatever others say in between', () => {
    const told = calling((i) => `B:"Valley${i} has ${i * 311 + 47} beds in house${i}."`);
    expect(repetition(told)).toBe('..........T.T.T.');
    expect(repetition(told, { limit: 2 }).indexOf('T')).toBe(6);
  });

  it('[REP12] trips at them, whatever the agent itself says', () => {
    const attempts = calling((i) => `A:"Attempt ${i * 31}: line7 is still empty."`);
    expect(repetition(attempts).indexOf('T')).toBe(10);
    const others = Array.from(
      { length: 8 },
      (_, i) => `A>timetable(line${i})=empty A:"Attempt ${i * 31}: line${i} is still empty."`,
    );
    expect(repetition(others.join(' '))).not.toContain('T');
  });

  const DRAFT =
    'Tidal power turns the steady rise and fall of the sea into electricity, years ahead of time.';
  const SITES = ['Rance', 'Sihwa', 'Fundy', 'Swansea', 'Pentland', 'Severn'];
  const ASKS = [
    'Please make it clearer.',
    'Could you tighten it?',
    'Have another go at the text.',
    'I would like it to flow, please revise.',
    'Nearly there, polish it again.',
    'Perhaps a warmer tone would help.',
  ];
  /** A answers each request with the same long text. */
  const drafts = (ask: (i: number) => string, usage = 'A#900/40 '): string =>
    ASKS.map((_, i) => `B:${JSON.stringify(ask(i))} ${usage}A:${JSON.stringify(DRAFT)}`).join(' ');

  it('[REP13] trips at the third equal long text of one agent, however it is asked for', () => {
    expect(repetition(drafts((i) => ASKS[i] as string))).toMatch(/^\.{8}T/);
  });

  it('[REP13] leaves a canned reply alone while others bring something new', () => {
    const facts = drafts(
      (i) => `The ${SITES[i]} site, number ${i + 11}, gives ${240 + i * 7} megawatts.`,
    );
    expect(repetition(facts)).not.toContain('T');
  });

  it('[REP13] trips at the fifth equal prompt of a program, where others ask models', () => {
    const answers = ['Yes, go on.', 'Go on, yes.', 'On, yes, go.', 'Go, yes, on.', 'Yes, on, go.'];
    const prompts = answers
      .map((said) => `B#900/40 B:${JSON.stringify(said)} A:${JSON.stringify(DRAFT)}`)
      .join(' ');
    expect(repetition(prompts).indexOf('T')).toBe(14);
  });

  it.each([
    ['rows deleted by their id', (i: number) => `A>delete({"id":${i}})=deleted`],
    ['rows inserted', (i: number) => `A>sql("INSERT INTO t VALUES (${i})")="INSERT 0 1"`],
    ['mails', (i: number) => `A>mail({"to":"guest${i}","text":"We meet at nine."})=sent`],
    ['a poll whose percent moves', (i: number) => `A>status(job)={"percent":${2 * i}}`],
    ['commands that answer nothing', (i: number) => `A!exit0("mkdir part${i}"):""`],
    ['words translated one by one', (i: number) => `A:"Translate: word${i}" B:wort${i}`],
    ['tests that stay green', (i: number) => `A>edit({"line":${i}})=ok A!exit0(test):"42 passed"`],
  ])('[REP2] leaves work alone in which each step is another one: %s', (_, step) => {
    const work = Array.from({ length: 60 }, (_, i) => step(i)).join(' ');
    expect(repetition(work)).not.toContain('T');
  });

  it('[REP6] trips on a message that says the same many times within itself', () => {
    const chant = JSON.stringify('I am sorry about that. '.repeat(50));
    expect(repetition(`A:${chant}`)).toBe('T');
  });

  it('[REP7] leaves silence and single words to suspicion', () => {
    expect(repetition('A:ok '.repeat(5))).toBe('.....');
    expect(repetition('A:"" '.repeat(16))).toContain('T');
  });

  it('[REP18] finds nothing at a call that was turned away, though it adds to the suspicion', () => {
    const refused = Array.from(
      { length: 18 },
      (_, i) => `${'ABC'[i % 3]}>get(page${i}x)!"429 too many requests"`,
    );
    const calls = `A>look(x)=none ${refused.join(' ')}`;
    expect(repetition(calls)).not.toContain('T');
    expect(repetition(`${calls} A>look(x)=none`)).toMatch(/^\.+T$/);
  });

  it('[LAD1] warns a team that is told one lap before the last, and no earlier', () => {
    const told = new RepetitionDetector({ limit: 4 }, { ...NORMAL, isTold: true });
    expect(timeline(told, transcript('A>look(x)=none '.repeat(4)))).toBe('..wT');
  });

  it('[REP8] is patient with a tool that is polled with a pause', () => {
    expect(repetition('A>status(job7)=running +60000 '.repeat(63))).not.toContain('T');
    expect(repetition('A>status(job7)=running +60000 '.repeat(66))).toMatch(/\.T+$/);
  });

  it('[REP8] trips on the same polling without the pause', () => {
    expect(repetition('A>status(job7)=running '.repeat(12))).toContain('T');
  });

  const form = (lines: readonly string[]): string =>
    JSON.stringify(
      `Form 4711 of Rheinfeld shows: ${lines.join('. ')}. Origin Rheinfeld 79618, parcel 25 kg, service Nordex-7. ${'Please fill in the fields that are marked and go on with the next page of the form when you are done. '.repeat(2)}`,
    );
  const fields = ['street empty', 'town empty', 'customs number 88 missing'];
  it('[REP3] leaves a form alone in which a field is filled each time', () => {
    const filled = [
      fields,
      ['street Hauptweg', ...fields.slice(1)],
      ['street Hauptweg', 'town Basel', fields[2] as string],
      ['street Hauptweg', 'town Basel', 'customs number 88 entered as 5530'],
    ].map((lines) => `A:"Go on to the next page." B:${form(lines)}`);
    expect(repetition(`P?"Send the parcel." ${filled.join(' ')}`)).not.toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'repetition.limit'],
    [{ stopAt: -1 }, 'repetition.stopAt'],
    [{ maxSelfRepetitions: 1 }, 'repetition.maxSelfRepetitions'],
  ])('[REP9] refuses %j and names the option', (options, option) => {
    expect(() => new RepetitionDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
