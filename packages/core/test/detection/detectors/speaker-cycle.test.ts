import { timeline, transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/detection/analyzer.ts';
import {
  SpeakerCycleDetector,
  type SpeakerCycleOptions,
} from '../../../src/detection/detectors/speaker-cycle.ts';

const work =
  'A!exit0(a):"12 rows in t1" A:"I count 12 rows in t1 and 57 in t2." B:"Row 4 of t2 lacks a name." ';
const thanks = [
  'A:"Thank you so much for this!" B:"You are very welcome, my pleasure."',
  'A:"Really, it is much appreciated." B:"Always glad to be of service."',
  'A:"You made my day, honestly." B:"That is so kind of you to say."',
  'A:"It was wonderful, many thanks." B:"The pleasure was all on our side."',
  'A:"Thanks again and take care!" B:"And the same to you, take care."',
  'A:"What a pleasure this has been." B:"It has, thank you for saying so."',
  'A:"Until next time, my friend!" B:"Until next time, and thanks."',
].join(' ');

describe('SpeakerCycleDetector', () => {
  it('[SPK7] trips when a ring of speakers says the same for the third time, whatever stopAt is', () => {
    const ring = 'A:"Looks good to me." B:"Fine with me as well." ';
    const detector = new SpeakerCycleDetector({ stopAt: 1000 });
    expect(timeline(detector, transcript(ring.repeat(3)))).toBe('.....T');
  });

  it('[SPK1] trips when a pair comes round after the work is done, in ever new words', () => {
    const detector = new SpeakerCycleDetector({ stopAt: 4 });
    expect(timeline(detector, transcript(work + thanks))).toContain('T');
  });

  it('[SPK1] trips on a ring of three', () => {
    const ring = 'A:"Looks good to me." B:"Fine with me as well." C:"No objections here." ';
    expect(timeline(new SpeakerCycleDetector(), transcript(ring.repeat(6)))).toContain('T');
  });

  it('[SPK1] does not trip on a longer ring than it is asked for', () => {
    const ring = 'A:"Looks good to me." B:"Fine with me as well." C:"No objections here." ';
    const words = ['here', 'there', 'today', 'now', 'then', 'again'];
    const turns = words.map((word) => ring.replaceAll('."', ` ${word}."`)).join('');
    const detector = new SpeakerCycleDetector({ maxRing: 2, stopAt: 1 });
    expect(timeline(detector, transcript(turns))).not.toContain('T');
  });

  it('[SPK6] names all who took part, also those that one of the rounds left out', () => {
    const turns = 'A:"Looks good to me." B:"Fine with me as well." '.repeat(2);
    const analyzer = new Analyzer();
    const detector = new SpeakerCycleDetector();
    const findings = transcript(
      `${turns}A:"Good as well." B:"Fine, too." C:"No objections." `.repeat(3),
    )
      .map((signal) => detector.observe(analyzer.observe(signal)))
      .filter((finding) => finding !== undefined);
    expect(findings.at(-1)?.evidence.agents).toEqual(expect.arrayContaining(['A', 'B', 'C']));
  });

  it('[SPK6] leaves out who spoke before the rounds began', () => {
    const analyzer = new Analyzer();
    const detector = new SpeakerCycleDetector({ stopAt: 4 });
    const found = transcript(`C:"Hall7 it is." ${work}${thanks}`)
      .map((signal) => detector.observe(analyzer.observe(signal)))
      .find((finding) => finding !== undefined);
    expect([...(found?.evidence.agents ?? [])].sort()).toEqual(['A', 'B']);
  });

  it('[SPK2] leaves the same pair alone while each turn brings something', () => {
    const work = Array.from(
      { length: 15 },
      (_, i) => `A:"Next is table t${i}, please." B:"Moved ${713 * i + 91} rows of table t${i}."`,
    ).join(' ');
    expect(timeline(new SpeakerCycleDetector(), transcript(work))).not.toContain('T');
  });

  it('[SPK3] counts one turn for an agent that goes on talking', () => {
    const alone = 'A:"One moment please." '.repeat(20);
    expect(timeline(new SpeakerCycleDetector(), transcript(alone))).not.toContain('T');
  });

  const DRAFT = 'The book tells of a journey along the coast, of its people and of their boats.';
  const ASKS = ['Shorter.', 'Warmer, please.', 'A little clearer.', 'Once again.', 'Nearly there.'];
  /** B asks for a draft, and A writes it. */
  const drafts = (
    draft: (i: number) => string,
    ask: (i: number) => string = (i) => ASKS[i] as string,
  ): string =>
    ASKS.map((_, i) => `B:${JSON.stringify(ask(i))} A:${JSON.stringify(draft(i))}`).join(' ');
  const declared = (text: string, options: SpeakerCycleOptions = { limit: 3 }): string =>
    timeline(new SpeakerCycleDetector(options), transcript(text));

  it('[SPK8] trips when the same pair recurs without measurable change, if the user has set the limit', () => {
    const same = drafts(() => DRAFT);
    expect(declared(same)).toBe('.....TTTTT');
    expect(declared(same, { limit: 4 })).toBe('.......TTT');
    expect(declared(same, {})).toBe('..........');
  });

  it('[SPK8] looks for the pair within the window', () => {
    const orders = ['yes go on now', 'now go yes on', 'on yes now go', 'go now on yes'];
    const ring = (from: number): string =>
      [...'ABCD'].map((agent, i) => `${agent}:"${orders[(from + i) % 4]}"`).join(' ');
    const within = (windowTurns: number): string =>
      declared(`${ring(0)} ${ring(1)}`, { limit: 2, windowTurns, stopAt: 99 });
    expect(within(6)).toBe('.....TTT');
    expect(within(5)).toBe('........');
  });

  const WORDS = ['storms and gulls', 'ropes and lanterns', 'salt and pepper', 'reefs and wrecks'];
  it.each([
    [
      'a figure',
      () =>
        drafts(
          () => DRAFT,
          (i) => `${ASKS[i]} I give it ${i * 31 + 7}.`,
        ),
    ],
    [
      'a name',
      () =>
        drafts(
          () => DRAFT,
          (i) => `${ASKS[i]} Ask Weber${i}.`,
        ),
    ],
    [
      'an item',
      () =>
        drafts(
          () => DRAFT,
          (i) => `Say more of the ${WORDS[i % 4]?.split(' ')[0]}.`,
        ),
    ],
    ['new code', () => drafts((i) => `Here:\n\`\`\`sh\nmake ${'abcde'.charAt(i)}\n\`\`\``)],
    ['a draft with new content', () => drafts((i) => `${DRAFT} It tells of ${WORDS[i % 4]}.`)],
    [
      'a new result',
      () => ASKS.map((ask, i) => `B:"${ask}" A>read(page${i})=${i * 31} A:"${DRAFT}"`).join(' '),
    ],
  ])('[SPK8] takes %s for a change', (_, talk) => {
    expect(declared(talk())).not.toMatch(/^.{0,7}T/);
  });

  it('[SPK8] takes neither the same words in another order nor those of short remarks for a change', () => {
    const words = DRAFT.split(' ');
    const turned = drafts((i) => [...words.slice(2 * i), ...words.slice(0, 2 * i)].join(' '));
    expect(declared(turned)).toContain('T');
    const longer = drafts((i) => `${DRAFT} ${WORDS[i % 4]} ${WORDS[(i + 1) % 4]}`);
    expect(declared(longer)).not.toMatch(/^.{0,7}T/);
  });

  it('[SPK8] is declared, and tells the pair', () => {
    const analyzer = new Analyzer();
    const detector = new SpeakerCycleDetector({ limit: 3 });
    const steps = transcript(drafts(() => DRAFT)).map((signal) => analyzer.observe(signal));
    expect(steps.map((step) => detector.observe(step)).find(Boolean)).toMatchObject({
      basis: 'declared',
      reason: 'A spoke after B three times without measurable change',
      evidence: { count: 3, limit: 3, indices: [0, 1, 2, 3, 4, 5] },
    });
  });

  it('[ANL5] begins afresh when a person speaks, not when nobody answers', () => {
    const before = 'A:"Shall we wait a little?" B:"Yes, let us wait a little." ';
    const after = 'A:"Shall we wait some more?" B:"Yes, let us wait some more." ';
    const detector = new SpeakerCycleDetector({ limit: 2, stopAt: 1.6 });
    expect(timeline(detector, transcript(`${before} P?"Please go on." ${after}`))).not.toContain(
      'T',
    );
    const nobody = new SpeakerCycleDetector({ limit: 2, stopAt: 1 });
    expect(timeline(nobody, transcript(`${before} ${after}`))).toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'speakerCycle.limit'],
    [{ limit: 11, windowTurns: 20 }, 'speakerCycle.windowTurns'],
    [{ limit: 11 }, 'speakerCycle.limit'],
    [{ maxRing: 1 }, 'speakerCycle.maxRing'],
  ])('[SPK4] refuses %j and names the option', (options, option) => {
    expect(() => new SpeakerCycleDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
