import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { SpeakerCycleDetector } from '../../src/detectors/speaker-cycle.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

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
  it('[SPK1] trips when a pair comes round while nothing new is said, in ever new words', () => {
    expect(timeline(new SpeakerCycleDetector(), transcript(thanks))).toContain('T');
  });

  it('[SPK1] trips on a ring of three', () => {
    const ring = 'A:"Looks good to me." B:"Fine with me as well." C:"No objections here." ';
    expect(timeline(new SpeakerCycleDetector(), transcript(ring.repeat(6)))).toContain('T');
  });

  it('[SPK1] does not trip on a longer ring than it is asked for', () => {
    const ring = 'A:"Looks good to me." B:"Fine with me as well." C:"No objections here." ';
    const detector = new SpeakerCycleDetector({ maxRing: 2 });
    expect(timeline(detector, transcript(ring.repeat(6)))).not.toContain('T');
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
    const detector = new SpeakerCycleDetector();
    const found = transcript(`C:"No objections here." ${thanks}`)
      .map((signal) => detector.observe(analyzer.observe(signal)))
      .find((finding) => finding !== undefined);
    expect(found?.evidence.agents).toEqual(['B', 'A']);
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

  const round = (words: readonly string[], result: string): string =>
    [
      `P:"${words[0]} the permutation class has to handle cycles that overlap, so please change the constructor in permutations.py ${words[1]} and tell me how the example with the two swaps behaves afterwards, since that is what the report is about in the end and all that the reader wants to know."`,
      `E:"${words[2]} I changed the constructor of the permutation class in permutations.py so that cycles which overlap are handled from left to right, ${words[3]} and now the example with the two swaps should be run, so that we see whether the report is settled by this change or not."`,
      `X:"${words[4]} I ran the example with the two swaps against the permutation class in permutations.py, and what it printed for overlapping cycles ${words[5]} was ${result}, which is not what the report asks for, so the constructor has to be looked at by somebody once more."`,
    ].join(' ');
  const wordings = [
    ['Well,', 'with care', 'Done:', 'as asked', 'Now', 'today'],
    ['Again,', 'properly', 'Finished:', 'as wanted', 'So', 'here'],
    ['Right,', 'once more', 'Ready:', 'as planned', 'Then', 'this time'],
    ['Sorry,', 'anew', 'Changed:', 'as agreed', 'Next', 'as before'],
  ];
  const between = (i: number): string =>
    `P:"Look at chapter ${i * i + 17} of guide${i}.pdf first."`;
  const replay = (resultOf: (i: number) => string): string =>
    wordings.map((words, i) => `${round(words, resultOf(i))} ${between(i)}`).join(' ');

  it('[SPK5] trips on a round of three that is gone through again in other words', () => {
    const rounds = replay(() => 'the swap of zero and one');
    expect(timeline(new SpeakerCycleDetector(), transcript(rounds))).toContain('T');
  });

  it('[SPK5] leaves a round alone that comes to another result each time', () => {
    const rounds = replay((i) => `${40 - 9 * i} failures in case${i * 7 + 3}`);
    expect(timeline(new SpeakerCycleDetector(), transcript(rounds))).not.toContain('T');
  });

  it('[ANL5] begins afresh when a person speaks, not when nobody answers', () => {
    const before = 'A:"Shall we wait a little?" B:"Yes, let us wait a little." '.repeat(2);
    const after = 'A:"Is there any news yet?" B:"No, there is none so far." '.repeat(2);
    const detector = new SpeakerCycleDetector({ idleTurns: 3 });
    expect(timeline(detector, transcript(`${before} P?"Please go on." ${after}`))).not.toContain(
      'T',
    );
    const nobody = new SpeakerCycleDetector({ idleTurns: 3 });
    expect(timeline(nobody, transcript(`${before} ${after}`))).toContain('T');
  });

  it.each([
    [{ limit: 1 }, 'speakerCycle.limit'],
    [{ limit: 11, windowTurns: 20 }, 'speakerCycle.windowTurns'],
    [{ maxRing: 1 }, 'speakerCycle.maxRing'],
  ])('[SPK4] refuses %j and names the option', (options, option) => {
    expect(() => new SpeakerCycleDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
