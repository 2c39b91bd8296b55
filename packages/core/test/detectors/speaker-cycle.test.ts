import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { SpeakerCycleDetector } from '../../src/detectors/speaker-cycle.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

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
