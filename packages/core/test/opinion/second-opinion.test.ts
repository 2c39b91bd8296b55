import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Confirm, type Trip } from '../../src/index.ts';
import { transcript } from '../../src/testing/index.ts';
import { asked, sayingDetector } from '../support/judge.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';

/** Signals that bring nothing new: two agents in ever the same words. */
const courtesies = (count: number) =>
  transcript('a:"Thank you!" b:"No, thank you!" '.repeat(Math.ceil(count / 2))).slice(0, count);

const KIND_WORDS = [
  'Thank you!',
  'So kind.',
  'A pleasure.',
  'Mine, too.',
  'Take care.',
  'You too!',
];

/** Three agents in no order, who put few words together anew each time. */
const smallTalk = transcript(
  Array.from({ length: 60 }, (_, i) => {
    const pick = (factor: number): string => KIND_WORDS[(i * i * factor + i) % 6] ?? '';
    return `${'abc'[(i * i) % 3]}:"${pick(1)} ${pick(5)} ${pick(3)}"`;
  }).join(' '),
);

const nestedStart = {
  kind: 'nested-start',
  at: 0,
  agent: 'lead',
  chatId: 'review',
  depth: 1,
  path: ['lead', 'review'],
  trigger: 'reply:lead',
} as const;

describe('confirm: when it is asked', () => {
  it('[CNF1] is not asked where nothing is found', () => {
    const { judge, say } = asked();
    for (const text of ['Gate 4 opens at 9.', 'Gate 5 opens at 11.']) say(text);
    expect(judge.findings).toEqual([]);
  });

  it('[CNF1] is not asked about facts', () => {
    const rates = [{ signal: 'usage', max: 1, perMs: 1000 }] as const;
    const facts: BreakerOptions[] = [
      { maxMessages: 1 },
      { budget: { maxTokens: 1 } },
      { contextWindow: { maxContextTokens: 5 } },
      { rate: { rates } },
      { nestedCascade: { maxDepth: 0 } },
      { nestedCascade: { maxTotal: 0 } },
      { detectors: [sayingDetector('custom:policy', true)] },
    ];
    const kinds = facts.map((options) => {
      const { breaker, judge } = asked({ detectors: [], ...options });
      breaker.observe(message('a', 'trip'));
      breaker.observe(usage());
      breaker.observe(usage());
      breaker.admit(modelRequest({ inputTokens: 9 }));
      breaker.observe(nestedStart);
      expect(judge.findings).toEqual([]);
      return breaker.trip?.kind;
    });
    expect(kinds).toEqual([
      'limit',
      'budget',
      'context-window',
      'rate',
      'nested-cascade',
      'nested-cascade',
      'custom:policy',
    ]);
  });

  it.each(['observe', 'warn', 'stop'] as const)(
    '[CNF2] is asked only as long as something would follow, reaction %s',
    (reaction) => {
      let count = 0;
      const confirm: Confirm = () => {
        count++;
        return true;
      };
      const { breaker, say } = asked({ reaction, confirm });
      const warned: string[] = [];
      breaker.on('warn', ({ finding }) => warned.push(finding.reason));
      for (const text of ['trip', 'trip', 'trip']) say(text);
      expect(count).toBe(reaction === 'observe' ? 0 : 1);
      expect(warned).toEqual(reaction === 'warn' ? ['a said trip'] : []);
      expect(breaker.trip?.kind).toBe(reaction === 'stop' ? 'custom:said' : undefined);
    },
  );

  it('[CNF2] is asked nothing while the circuit is open, so that refusing has not to wait', () => {
    const { breaker, judge, say } = asked({ reaction: { 'custom:said': 'warn' }, maxMessages: 1 });
    say('hello');
    say('trip');
    expect(judge.findings).toHaveLength(0);
    expect(breaker.admit(turn('a'))).toMatchObject({ isAdmitted: false, trip: { kind: 'limit' } });
    expect(breaker.settled()).toBe(breaker.trip);
  });

  it('[CNF3] shows copies of the signals from the first of the evidence on', async () => {
    const { judge, say } = asked();
    const own = message('a', 'two');
    say('one');
    say('two');
    say('trip 1');
    expect(judge.shown).toEqual([[own, message('a', 'trip 1')]]);
    Object.assign(judge.shown[0]?.[0] ?? {}, { text: 'changed' });
    await judge.says(false);
    say('trip 1');
    say('trip 1');
    expect(judge.shown[1]?.[0]).toEqual(own);
  });

  it('[CNF3] shows 64 signals at most, whatever else they carry', () => {
    const { breaker, judge, say } = asked();
    for (let i = 0; i < 100; i++) {
      breaker.observe({ ...message('a', `line ${i}`), raw: 1n } as never);
    }
    say('trip 0');
    expect(judge.shown[0]).toHaveLength(64);
    expect(judge.shown[0]?.at(0)).toMatchObject({ text: 'line 37' });
    expect(judge.shown[0]?.at(-1)).toEqual(message('a', 'trip 0'));
  });

  it('[CNF4] is asked early by those who sum up idle turns, and by nobody else', () => {
    const levels = (options: BreakerOptions): string[] => {
      const seen: string[] = [];
      const breaker = new Breaker({ ...options, now: () => 0 });
      breaker.on('finding', ({ finding: { level, kind } }) => seen.push(`${level} ${kind}`));
      for (const signal of smallTalk) breaker.observe(signal);
      return [...new Set(seen)];
    };
    const warns = (seen: string[]): string[] => seen.filter((one) => one.startsWith('warn'));
    const repetition = { limit: 50, idleTurns: 3 };
    const confirm = (): boolean => false;
    expect(warns(levels({ repetition }))).toEqual([]);
    expect(warns(levels({ repetition, confirm }))).toEqual([
      'warn repetition',
      'warn speaker-cycle',
    ]);
    const sure = { speakerCycle: { doubtShare: 1 }, repetition: { ...repetition, doubtShare: 1 } };
    expect(warns(levels({ ...sure, confirm }))).toEqual([]);
  });
});

describe('confirm: what follows from the answer', () => {
  it.each(['trip', 'warn'])('[CNF5] opens the circuit at a yes to a %s', async (text) => {
    const { breaker, judge, say } = asked();
    const trips: Trip[] = [];
    breaker.on('trip', (trip) => trips.push(trip));
    expect(say(text)).toBeUndefined();
    expect(breaker.trip).toBeUndefined();
    await judge.says(true);
    expect(trips).toEqual([breaker.trip]);
    expect(breaker.trip).toMatchObject({ kind: 'custom:said', index: 0, at: 7 });
  });

  it('[CNF5] gives the trip back where the answer comes at once', () => {
    const { breaker, say } = asked({ confirm: () => true });
    expect(say('warn')).toEqual(breaker.trip);
    expect(breaker.trip).toMatchObject({ kind: 'custom:said', at: 0 });
  });

  it('[CNF5] lets a conversation go on at a no', async () => {
    const { breaker, judge, say } = asked();
    say('trip');
    await judge.says(false);
    expect(breaker.state.status).toBe('closed');
    expect((await breaker.admit(turn('a'))).isAdmitted).toBe(true);
  });

  it('[CNF6] is asked ever more rarely about what it has cleared', () => {
    const at: number[] = [];
    const confirm: Confirm = (_finding, signals) => {
      at.push(signals.length);
      return false;
    };
    const { say } = asked({ confirm, speakerCycle: false, repetition: false });
    for (let i = 0; i < 4; i++) say('hello');
    for (let i = 0; i < 60; i++) say('trip 0');
    expect(at).toEqual([5, 10, 20, 40]);
  });

  it('[CNF6] is asked ever more rarely, where the evidence moves on with the loop too', () => {
    let count = 0;
    const confirm: Confirm = () => {
      count++;
      return false;
    };
    const { breaker } = asked({ confirm });
    for (const signal of courtesies(2000)) breaker.observe(signal);
    // Two kinds of loop, each about once for every doubling.
    expect(count).toBeGreaterThan(2);
    expect(count).toBeLessThanOrEqual(2 * Math.log2(2000));
  });

  it('[CNF6] is asked ever more rarely, where each step of the loop looks new too', () => {
    let count = 0;
    const confirm: Confirm = () => {
      count++;
      return false;
    };
    const { say } = asked({ confirm });
    for (let i = 0; i < 200; i++) say(`trip ${Math.max(0, i - 2)}`);
    expect(count).toBeLessThanOrEqual(Math.log2(200) + 1);
  });

  it('[CNF6] is asked ever more rarely about rounds with long pauses between them', () => {
    let count = 0;
    const confirm: Confirm = () => {
      count++;
      return false;
    };
    const round =
      'w>probe(shop)=ok w>probe(mail)=ok w>probe(search)=ok w>probe(images)=ok +3600000 ';
    const breaker = new Breaker({ confirm, repetition: { idleTurns: 4 } });
    for (const signal of transcript(round.repeat(100))) breaker.observe(signal);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(Math.log2(400));
  });

  it('[CNF7] is asked afresh about a loop that began after something new', async () => {
    const { judge, say } = asked();
    for (const text of ['one', 'two', 'three', 'trip 0']) say(text);
    await judge.says(false);
    say('trip 1');
    expect(judge.findings).toHaveLength(1);
    say('Gate 4 opens at 9, gate 5 at 11, and gate 6 at 13.');
    say('trip 5');
    expect(judge.findings).toHaveLength(2);
  });

  it('[CNF7] is asked afresh after a reset', async () => {
    const { breaker, judge, say } = asked();
    for (const text of ['one', 'two', 'three', 'trip 0']) say(text);
    await judge.says(false);
    breaker.reset();
    say('trip 0');
    expect(judge.findings).toHaveLength(2);
  });

  it('[CNF7] does not take what an inner chat brings for progress of the outer one', async () => {
    const { breaker, judge, say } = asked();
    for (const text of ['one', 'two', 'three', 'trip 0']) say(text);
    await judge.says(false);
    breaker.observe({ ...message('a', 'Gate 4 opens at 9, and gate 5 at 11.'), depth: 1 });
    say('trip');
    expect(judge.findings).toHaveLength(1);
  });
});
