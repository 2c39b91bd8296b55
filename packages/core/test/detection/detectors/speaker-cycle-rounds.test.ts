import { describe, expect, it } from 'vitest';
import type { AnalyzedSignal } from '../../../src/detection/analyzed-signal.ts';
import { Analyzer } from '../../../src/detection/analyzer.ts';
import { NORMAL } from '../../../src/detection/detectors/built-in-detector.ts';
import {
  SpeakerCycleDetector,
  type SpeakerCycleOptions,
} from '../../../src/detection/detectors/speaker-cycle.ts';
import type { Finding } from '../../../src/index.ts';
import { message } from '../../support/signals.ts';

/** The turns of these speakers as a suspicious conversation has them from the first step on. */
function turns(speakers: string, fields: Partial<AnalyzedSignal> = {}): AnalyzedSignal[] {
  const analyzer = new Analyzer();
  return [...speakers].map((agent, at) => ({
    ...analyzer.observe(message(agent, 'Fine with me as well.', at)),
    staleness: 1,
    laps: undefined,
    suspicion: { score: 100, kind: 'speaker-cycle', since: 0, newsAt: -1, agents: ['a', 'b'] },
    ...fields,
  }));
}

/** The finding of each turn, or nothing. */
function findings(
  speakers: string,
  options: SpeakerCycleOptions = {},
  fields: Partial<AnalyzedSignal> = {},
): (Finding | undefined)[] {
  const detector = new SpeakerCycleDetector(options);
  return turns(speakers, fields).map((step) => detector.observe(step));
}

/** With which turn it trips; `-1` if it does not. */
function tripAt(speakers: string, options?: SpeakerCycleOptions): number {
  return findings(speakers, options).findIndex((finding) => finding !== undefined);
}

describe('the rounds of a speaker cycle', () => {
  it('[SPK1] are counted by the latest pair of speakers, up to the limit', () => {
    expect(tripAt('ababab')).toBe(5);
    expect(tripAt('abab', { limit: 2 })).toBe(3);
    expect(tripAt('abcabcab')).toBe(7);
    expect(tripAt('abcbacbca')).toBe(-1);
  });

  it('[SPK1] are shown with the ring, its length and how often it came round', () => {
    expect(findings('xabcabcab').at(-1)).toEqual({
      level: 'trip',
      kind: 'speaker-cycle',
      reason: 'b, c and a took turns three times and added almost nothing new',
      evidence: {
        agents: ['b', 'c', 'a'],
        indices: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        count: 3,
        limit: 3,
        period: 3,
        subject: 'b → c → a',
      },
    });
  });

  it('[SPK6] are shown by the turns since the suspicion began', () => {
    const suspicion = {
      score: 100,
      kind: 'speaker-cycle',
      since: 2,
      newsAt: -1,
      agents: ['a', 'b'],
    } as const;
    const found = findings('ababab', {}, { suspicion }).at(-1);
    expect(found?.evidence.indices).toEqual([2, 3, 4, 5]);
  });

  it('[SPK1] take the length of the latest one for that of the ring', () => {
    expect(findings('abcdabab').at(-1)?.evidence).toMatchObject({ count: 3, period: 2 });
  });

  it.each([
    ['abcdabcdab', 4, 9],
    ['abcdabcdab', 3, -1],
    ['abcabcab', 3, 7],
    ['abcabcab', 2, -1],
  ])('[SPK1] have a ring of at most maxRing: %s with %i', (speakers, maxRing, at) => {
    expect(tripAt(speakers, { maxRing })).toBe(at);
  });

  it('[SPK1] have a ring of at most 8 unless declared', () => {
    expect(tripAt('abcdefgh'.repeat(3), { windowTurns: 30 })).toBe(17);
    expect(tripAt('abcdefghi'.repeat(4), { windowTurns: 40 })).toBe(-1);
  });

  it('[SPK1] are looked for within windowTurns', () => {
    expect(tripAt('ababab', { windowTurns: 6, maxRing: 2 })).toBe(5);
    expect(tripAt('abcabcabcabc', { windowTurns: 8, maxRing: 3 })).toBe(7);
    expect(tripAt('abcabcabcabc', { windowTurns: 7, maxRing: 3 })).toBe(-1);
  });

  it('[SPK1] are looked for within 20 turns unless declared', () => {
    const ring = 'abcdefgh';
    expect(tripAt(`${ring}xy${ring}${ring}`)).toBe(-1);
    expect(tripAt(`${ring}${ring}${ring}`)).toBe(17);
  });

  it('[SPK3] count one turn for an agent that goes on, shown by its first step', () => {
    expect(tripAt('aabbbaabbaabb')).toBe(11);
    expect(findings('aabababb').at(-1)?.evidence.indices).toEqual([0, 2, 3, 4, 5, 6]);
  });

  it('[SPK1] lead to nothing while the suspicion is small, or of something else', () => {
    const suspicion = {
      score: 7,
      kind: 'speaker-cycle',
      since: 0,
      newsAt: -1,
      agents: [],
    } as const;
    const none = Array(8).fill(undefined);
    expect(findings('abababab', {}, { suspicion })).toEqual(none);
    const other = { ...suspicion, score: 100, kind: 'repetition' } as const;
    expect(findings('abababab', {}, { suspicion: other })).toEqual(none);
    expect(findings('ababab', { stopAt: 7 }, { suspicion }).at(-1)?.level).toBe('trip');
    const told = new SpeakerCycleDetector({}, { ...NORMAL, isTold: true });
    const found = turns('ababab', { suspicion }).map((step) => told.observe(step));
    expect(found.at(-1)?.level).toBe('warn');
  });

  it('[SPK1] have no turns of people or of bookkeeping', () => {
    const detector = new SpeakerCycleDetector();
    const steps = turns('abababa');
    const found = steps.map((step, i) =>
      detector.observe(i === 4 ? { ...step, action: undefined } : step),
    );
    expect(found.every((finding) => finding === undefined)).toBe(true);
  });

  it('[ANL5] begin afresh when a person speaks, though it is no turn', () => {
    const detector = new SpeakerCycleDetector();
    const [person, ...steps] = turns('pababab');
    for (const step of steps.slice(0, 5)) detector.observe(step);
    detector.observe({ ...(person as AnalyzedSignal), isPerson: true, action: undefined });
    expect(detector.observe(steps[5] as AnalyzedSignal)).toBeUndefined();
    expect(detector.snapshot()).toEqual({ turns: [['b', 6]], unchanged: [] });
  });

  it.each([
    [{ limit: 1 }, "'speakerCycle.limit': expected a whole number from 2 to 5000, received 1"],
    [{ limit: 5001 }, "'speakerCycle.limit': expected a whole number from 2 to 5000"],
    [
      { windowTurns: 5, maxRing: 2 },
      'speakerCycle.limit 3 does not fit the window of 5 turns: raise speakerCycle.windowTurns to 6',
    ],
    [
      { limit: 15 },
      'speakerCycle.limit 15 does not fit the window of 20 turns: raise speakerCycle.windowTurns to 30',
    ],
    [{ maxRing: 21 }, "'speakerCycle.maxRing': expected a whole number from 2 to 20"],
    [{ stopAt: -1 }, "'speakerCycle.stopAt': expected a finite number of at least 0"],
  ])('[SPK4] refuse %j, naming the option and what it may be', (options, text) => {
    expect(() => new SpeakerCycleDetector(options)).toThrow(text);
  });

  it('[SPK4] take a limit of 5,000 in a window that holds it', () => {
    const options = { limit: 5000, windowTurns: 10_000 };
    expect(() => new SpeakerCycleDetector(options)).not.toThrow();
  });
});
