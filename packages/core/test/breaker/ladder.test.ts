import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../src/index.ts';
import type { Admission } from '../../src/kit.ts';
import { sayingDetector } from '../support/judge.ts';
import { message, modelRequest } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

const SEARCH = { kind: 'tool-call', agent: 'clerk', tool: 'search', args: { q: 'tides' } } as const;

/** A breaker with a team that is told first, and what the team was told. */
function climbing(options: BreakerOptions = {}) {
  const breaker = new Breaker({ reaction: 'ladder', now: () => 0, ...options });
  const told = warningsOf(breaker);
  return { breaker, told };
}

/** Asks for a call, and reports its result if it may be made. */
function call(breaker: Breaker, at: number, step: object = SEARCH): Admission {
  const request = { ...SEARCH, ...step, at };
  const admission = breaker.admit(request) as Admission;
  if (admission.isAdmitted) breaker.observe({ ...request, result: 'nothing' });
  return admission;
}

/** How the admission of a call went. */
function end(admission: Admission): string {
  if (admission.isAdmitted) return 'made';
  return admission.trip.isStepOnly ? 'refused' : 'stopped';
}

describe('the ladder', () => {
  it('[LAD1] [LAD2] [LAD3] tells at the second call, refuses the third and fourth, and stops at the fifth', () => {
    const { breaker, told } = climbing();
    const ends = [1, 2, 3, 4, 5, 6].map((at) => end(call(breaker, at)));
    expect(ends).toEqual(['made', 'made', 'refused', 'refused', 'stopped', 'stopped']);
    expect(told).toEqual(["'search' was called twice with the same arguments and the same result"]);
    expect(breaker.conversation().trip).toMatchObject({ kind: 'repetition', basis: 'certain' });
    expect(breaker.conversation().trip?.isStepOnly).toBeUndefined();
  });

  it('[LAD2] reports what it refuses as a call that was not made, and counts it for no limit', () => {
    const { breaker } = climbing({ maxToolCalls: 4 });
    const seen: Signal[] = [];
    breaker.on('signal', ({ signal }) => seen.push(signal));
    for (const at of [1, 2, 3, 4]) call(breaker, at);
    expect(seen.at(-1)).toMatchObject({
      ...SEARCH,
      at: 4,
      executed: false,
      error: { code: 'TEAMFUSE_REFUSED' },
    });
    expect(breaker.counters).toMatchObject({ toolCalls: 2, failures: 0, refusals: 2, trips: 0 });
    expect(end(call(breaker, 5, { args: { q: 'moon' } }))).toBe('made');
  });

  it('[LAD2] lets every other call pass, of that tool or another', () => {
    const { breaker } = climbing();
    for (const at of [1, 2, 3]) call(breaker, at);
    const others = [{ args: { q: 'moon' } }, { tool: 'find' }, { agent: 'critic' }];
    expect(others.map((other, i) => end(call(breaker, 4 + i, other)))).toEqual([
      'made',
      'made',
      'made',
    ]);
  });

  it('[LAD3] stops where nothing can be refused once five laps are reported', () => {
    const { breaker, told } = climbing();
    const trips = [1, 2, 3, 4, 5].map(
      (at) => breaker.observe({ ...SEARCH, at, result: 'nothing' })?.kind,
    );
    expect(trips).toEqual([undefined, undefined, undefined, undefined, 'repetition']);
    expect(told).toHaveLength(1);
  });

  it('[LAD3] stops a talk in circles at the fifth lap', () => {
    const { breaker, told } = climbing();
    const lap = 'A:"Shall I send the report?" B:"Please send the report." ';
    const trips = transcript(lap.repeat(6)).map((signal) => breaker.observe(signal)?.kind);
    expect(trips.indexOf('speaker-cycle')).toBe(9);
    expect(told).toHaveLength(1);
  });

  it('[LAD3] stops a ring of calls in its fifth lap', () => {
    const { breaker } = climbing();
    const ends = Array.from({ length: 20 }, (_, i) =>
      end(call(breaker, i + 1, { tool: ['open', 'read', 'close'][i % 3] })),
    );
    expect(ends.indexOf('refused')).toBe(8);
    expect(ends.indexOf('stopped')).toBeGreaterThanOrEqual(12);
    expect(ends.indexOf('stopped')).toBeLessThan(15);
  });

  it('[LAD3] counts calls of one answer as one lap, and those of the next answer again', () => {
    const { breaker } = climbing();
    let at = 0;
    const answer = (calls: number): string[] => {
      breaker.admit(modelRequest({ at: ++at, agent: 'clerk' }));
      return Array.from({ length: calls }, () => end(call(breaker, ++at)));
    };
    expect(answer(8)).toEqual(['made', 'made', ...Array(6).fill('refused')]);
    expect(answer(3)).toEqual(['refused', 'refused', 'refused']);
    expect(answer(1)).toEqual(['refused']);
    expect(answer(1)).toEqual(['stopped']);
  });

  it('[LAD4] begins anew after something new', () => {
    const { breaker, told } = climbing();
    for (const at of [1, 2, 3]) call(breaker, at);
    expect(end(call(breaker, 4, { args: { q: 'harbour' } }))).toBe('made');
    breaker.observe({ ...SEARCH, at: 5, args: { page: 7 }, result: 'high water at 11:40' });
    const ends = [6, 7, 8, 9].map((at) => end(call(breaker, at, { args: { q: 'moon' } })));
    expect(ends).toEqual(['made', 'made', 'refused', 'refused']);
    expect(told).toHaveLength(2);
  });

  it('[LAD4] goes on where every call has a new remark', () => {
    const { breaker } = climbing();
    const remarks = [
      'Lisbon lies west',
      'Copper conducts',
      'Owls hunt by night',
      'Rice needs water',
    ];
    const trips = Array.from({ length: 40 }, (_, i) => {
      breaker.observe(message('clerk', `${remarks[i % 4]}, chapter ${i}`, 2 * i));
      return breaker.observe({ ...SEARCH, at: 2 * i + 1, result: 'nothing' })?.kind;
    });
    expect(trips.findIndex((kind) => kind !== undefined)).toBeGreaterThan(0);
  });

  it('[LAD5] takes what the guard said for no step, and what repeats it for no news', () => {
    const text = 'Notice: search was called twice with equal arguments, so look elsewhere today.';
    const stoppedAt = (isReported: boolean): number => {
      const { breaker } = climbing();
      for (let lap = 1, at = 0; lap < 20; lap++) {
        if (end(call(breaker, ++at)) === 'stopped') return lap;
        if (lap < 2) continue;
        if (isReported) breaker.observe({ kind: 'notice', at: ++at, agent: 'teamfuse', text });
        breaker.observe(message('clerk', text, ++at));
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(stoppedAt(true)).toBe(5);
    expect(stoppedAt(false)).toBeGreaterThan(5);
  });

  it('[LAD5] counts no notice as a message or a turn', () => {
    const { breaker } = climbing({ maxMessages: 1, maxTurns: 1 });
    const notice = {
      kind: 'notice',
      at: 1,
      agent: 'teamfuse',
      text: 'Bring something new.',
    } as const;
    expect(breaker.observe(notice)).toBeUndefined();
    expect(breaker.counters.messages).toBe(0);
    expect(breaker.conversation().latest.speakers).toEqual([]);
  });

  it('[LAD6] stops at once for what was declared, and for kinds with another reaction', () => {
    expect(climbing({ maxMessages: 1 }).breaker.observe(message('a', 'one'))?.kind).toBe('limit');
    const byHand = climbing().breaker;
    expect(byHand.stop('enough').kind).toBe('manual');
    const { breaker } = climbing({
      reaction: { repetition: 'ladder' },
      detectors: [() => sayingDetector()],
    });
    expect(breaker.observe(message('a', 'trip'))?.kind).toBe('custom:said');
  });

  it('[LAD7] goes on in another process where it stood', () => {
    const { breaker } = climbing();
    for (const at of [1, 2, 3, 4]) call(breaker, at);
    const moved = climbing().breaker;
    moved.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(end(call(moved, 5))).toBe('stopped');
  });

  it('[LAD7] takes a snapshot from before the ladder', () => {
    const { breaker } = climbing();
    for (const at of [1, 2]) call(breaker, at);
    const snapshot = JSON.parse(JSON.stringify(breaker.snapshot()));
    delete snapshot.conversations[''].ladder;
    const moved = climbing().breaker;
    moved.restore(snapshot);
    expect(end(call(moved, 3))).toBe('refused');
  });

  it('[LAD1] leaves findings as they are where the reaction is another one', () => {
    const breaker = new Breaker({ reaction: 'warn', now: () => 0 });
    const levels: string[] = [];
    breaker.on('finding', ({ finding }) => levels.push(finding.level));
    for (const at of [1, 2, 3]) breaker.observe({ ...SEARCH, at, result: 'nothing' });
    expect(levels).toEqual(['trip']);
  });
});
