import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type BreakerSnapshot } from '../../../src/index.ts';
import type { Admission } from '../../../src/kit.ts';

const LIMITS = { tools: { search: { maxCalls: 2 } } };

/** An agent that searches on and on, in a run in which it may do so twice. */
class Clerk {
  readonly breaker: Breaker;
  readonly #name: string;
  #turns: number;

  constructor(options: BreakerOptions = {}, name = 'clerk', breaker?: Breaker, turns = 0) {
    this.#turns = turns;
    this.breaker = breaker ?? new Breaker({ now: () => 0, limits: LIMITS, ...options });
    this.#name = name;
  }

  /** One more answer of its model: a remark, and calls side by side. Says whether the last one was made. */
  turn(tool = 'search', calls = 1): 'made' | 'refused' | 'stopped' {
    const at = ++this.#turns * 1000;
    const agent = this.#name;
    this.breaker.observe({ kind: 'message', at, agent, text: `Let me look for item ${at} now.` });
    let end: 'made' | 'refused' | 'stopped' = 'stopped';
    for (let i = 0; i < calls; i++) {
      const call = { kind: 'tool-call', agent, at, tool, args: { item: `${at} ${i}` } } as const;
      const admission = this.breaker.admit(call) as Admission;
      if (!admission.isAdmitted) end = admission.trip.isStepOnly ? 'refused' : 'stopped';
      else {
        this.breaker.observe({ ...call, result: `row ${at * 31}` });
        end = 'made';
      }
    }
    return end;
  }

  turns(count: number, tool?: string, calls?: number): readonly string[] {
    return Array.from({ length: count }, () => this.turn(tool, calls));
  }

  get trip() {
    return this.breaker.conversation().trip;
  }
}

describe('calls that are refused alone', () => {
  it('[RAT10] stop an agent that asks for nothing else, at the twentieth in a row', () => {
    const clerk = new Clerk();
    clerk.turns(2);
    expect(new Set(clerk.turns(19))).toEqual(new Set(['refused']));
    expect(clerk.trip).toBeUndefined();
    clerk.turn();
    expect(clerk.trip).toMatchObject({
      kind: 'rate',
      basis: 'certain',
      reason: 'clerk asked 20 times in a row for calls that were refused, and did nothing else',
      evidence: { count: 20, limit: 20 },
    });
    expect(clerk.trip?.evidence.indices).toHaveLength(20);
    expect(clerk.turn()).toBe('stopped');
  });

  it('[RAT10] leave one alone that tries now and then, and goes on with another tool', () => {
    const clerk = new Clerk();
    clerk.turns(2);
    for (let i = 0; i < 40; i++) {
      expect(clerk.turns(3)).not.toContain('stopped');
      expect(clerk.turn('find')).toBe('made');
    }
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] leave one alone that writes up item after item without them', () => {
    const clerk = new Clerk();
    clerk.turns(2);
    const words = (from: number) => Array.from({ length: 30 }, (_, i) => `word${from + 31 * i}q`);
    for (let item = 0; item < 40; item++) {
      expect(clerk.turn()).toBe('refused');
      const text = `Chapter ${item}. ${words(item * 1_000).join(' ')}.`;
      clerk.breaker.observe({ kind: 'message', at: item, agent: 'clerk', text });
    }
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] stop one that says the same at length each time', () => {
    const clerk = new Clerk({ repetition: false, speakerCycle: false });
    const text = 'I am still looking for the rows of the harbour office, and shall go on. '.repeat(
      2,
    );
    for (let at = 0; at < 25; at++) {
      clerk.turn();
      clerk.breaker.observe({ kind: 'message', at, agent: 'clerk', text });
    }
    expect(clerk.trip?.kind).toBe('rate');
  });

  it('[RAT10] begin anew with a call that is found by another rule', () => {
    const clerk = new Clerk({ reaction: { rate: 'warn' } });
    const reasons: string[] = [];
    clerk.breaker.on('finding', ({ finding }) => reasons.push(finding.reason));
    clerk.turns(2);
    const denied = { executed: false, error: { message: 'not allowed here' } } as const;
    for (let i = 0; i < 60; i++) {
      clerk.turn();
      const call = { kind: 'tool-call', agent: 'clerk', tool: 'fetch', args: {} } as const;
      clerk.breaker.observe({ ...call, ...denied, at: (i + 3) * 1000 });
    }
    expect(reasons.join()).toContain('was refused');
    expect(reasons.filter((reason) => reason.includes('did nothing else'))).toEqual([]);
  });

  it('[RAT10] count as one where one answer has asked for them side by side', () => {
    const clerk = new Clerk();
    clerk.turns(2);
    expect(clerk.turns(9, 'search', 6)).not.toContain('stopped');
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] count as one where others speak while they are asked for', () => {
    const clerk = new Clerk();
    clerk.turns(3);
    for (let i = 0; i < 30; i++) {
      clerk.breaker.observe({
        kind: 'message',
        at: i,
        agent: 'writer',
        text: `Page ${i} is done.`,
      });
      const call = {
        kind: 'tool-call',
        agent: 'clerk',
        at: i,
        tool: 'search',
        args: { i },
      } as const;
      expect((clerk.breaker.admit(call) as Admission).isAdmitted).toBe(false);
    }
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] count for the agent that asks, and not for what others do meanwhile', () => {
    const clerk = new Clerk();
    const other = new Clerk({}, 'writer', clerk.breaker);
    clerk.turns(2);
    for (let i = 0; i < 20; i++) {
      clerk.turn();
      if (i < 19) expect(other.turn('find')).toBe('made');
    }
    expect(clerk.trip?.agents).toEqual(['clerk']);
  });

  it('[RAT10] begin anew once a person has said something', () => {
    const clerk = new Clerk();
    clerk.turns(2);
    for (let i = 0; i < 3; i++) {
      expect(clerk.turns(15)).not.toContain('stopped');
      clerk.breaker.observe({ kind: 'human-input', at: 0, agent: 'ann', text: `Go on (${i}).` });
    }
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] begin anew with each run, as the limits do', () => {
    const clerk = new Clerk();
    const other = new Clerk({}, 'writer', clerk.breaker);
    for (let i = 0; i < 3; i++) {
      clerk.breaker.conversation().beginRun();
      expect(clerk.turns(2)).toEqual(['made', 'made']);
      expect(new Set(other.turns(15))).toEqual(new Set(['refused']));
    }
    expect(clerk.trip).toBeUndefined();
  });

  it('[RAT10] count for no declared rate, as they were not made', () => {
    const perMs = 60_000;
    const clerk = new Clerk({ rate: { rates: [{ signal: 'tool-call', max: 3, perMs }] } });
    expect(clerk.turns(2)).toEqual(['made', 'made']);
    expect(new Set(clerk.turns(10))).toEqual(new Set(['refused']));
    expect(clerk.turns(2, 'find')).toEqual(['made', 'stopped']);
    expect(clerk.trip).toMatchObject({ kind: 'rate', basis: 'declared' });
  });

  it.each<[string, BreakerOptions]>([
    ['more are allowed', { rate: { refusals: 60 } }],
    ['the rate is off', { rate: false }],
    ['it is only observed', { reaction: { rate: 'observe' } }],
  ])('[RAT10] go on where %s', (_, options) => {
    const clerk = new Clerk(options);
    clerk.turns(2);
    expect(clerk.turns(30)).not.toContain('stopped');
  });

  it('[RAT10] are in the snapshot, which may be an older one', () => {
    const before = new Clerk();
    before.turns(12);
    const snapshot = JSON.stringify(before.breaker.snapshot());
    const restored = (state: BreakerSnapshot): Clerk => {
      const clerk = new Clerk({}, 'clerk', undefined, 12);
      clerk.breaker.restore(state);
      clerk.turns(10);
      return clerk;
    };
    expect(restored(JSON.parse(snapshot)).trip?.kind).toBe('rate');
    // The rows of services that turn calls away have a field of this name, too.
    const older = JSON.parse(snapshot, (_, value) => {
      if (!value?.rows || !value.refused) return value;
      const { refused: __, ...rest } = value;
      return rest;
    });
    expect(JSON.stringify(older)).not.toBe(snapshot);
    expect(restored(older).trip).toBeUndefined();
  });

  it('[RAT10] name no tool with excerpts off', () => {
    const clerk = new Clerk({ excerpts: false });
    clerk.turns(22);
    expect(JSON.stringify(clerk.trip)).not.toContain('search');
  });
});
