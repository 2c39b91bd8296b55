import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../src/detection/analyzer.ts';
import type { Signal, SignalInput } from '../../src/index.ts';
import { laps, lastStep } from '../support/steps.ts';

const RUN = { kind: 'execution', language: 'sh', code: 'ls', exitCode: 0, output: 'a' } as const;
const USAGE = { kind: 'usage', inputTokens: 9, outputTokens: 9, costUsd: null } as const;

describe('laps of those who wait', () => {
  const poll = (times: number, pauseMs: number, between = ''): string =>
    `+${pauseMs} A>status(job)=running ${between}`.repeat(times);

  it('[LAP7] leave one or two slow calls that work alone for half an hour and 64 laps', () => {
    expect(laps(poll(3, 13_999))).toBe(3);
    expect(laps(poll(120, 14_000))).toBe(0);
    expect(laps(poll(122, 14_000))).toBeGreaterThan(3);
    expect(laps(poll(64, 120_000))).toBe(0);
    expect(laps(poll(70, 120_000))).toBeGreaterThan(3);
  });

  it('[LAP7] take a call that sleeps and one that looks for waiting, but not three calls', () => {
    const sleeping = '+31000 A!exit0(sleep):"" A>status(job)=running ';
    expect(laps(sleeping.repeat(40))).toBe(0);
    expect(laps(sleeping.repeat(70))).toBeGreaterThan(3);
    const three = '+15000 A>a(x)=1 +15000 A>b(x)=2 +15000 A>c(x)=3 ';
    expect(laps(three.repeat(3))).toBe(3);
  });

  it('[LAP7] take no call that fails for waiting, and none that its results move', () => {
    expect(laps('+20000 A!exit1(test):"KeyError: total" '.repeat(3))).toBe(3);
    expect(laps(`${poll(3, 20_000)}A>status(job)=done`)).toBe(0);
  });

  it('[LAP7] wait whatever is said in between, or told by a harness', () => {
    expect(laps(poll(30, 15_000, 'A:"I shall wait for it." '))).toBe(0);
    expect(laps(poll(30, 15_000, 'B:"Please wait for it." '))).toBe(0);
    expect(laps(poll(30, 15_000, 'H?"The job is not done yet." '))).toBe(0);
    expect(laps(poll(4, 5000, 'B:"Please wait for it." '))).toBeGreaterThan(2);
  });

  it('[LAP7] wait where calls themselves take ten seconds a lap, as they say or as their model lets tell', () => {
    const took = (durationMs?: number): number => {
      const analyzer = new Analyzer();
      const calls = Array.from({ length: 5 }, (_, i) =>
        analyzer.observe({
          kind: 'tool-call',
          at: 11_000 * i,
          agent: 'A',
          tool: 'status',
          args: {},
          result: 'running',
          ...(durationMs !== undefined && { durationMs }),
        }),
      );
      return calls.at(-1)?.laps?.laps ?? 0;
    };
    expect(took(10_000)).toBe(0);
    expect(took(9999)).toBe(5);
    expect(took()).toBe(5);
    expect(laps('A#900/40 +9000 A>status(job)=running '.repeat(5))).toBe(0);
    expect(laps('A#900/40 +8999 A>status(job)=running '.repeat(5))).toBe(5);
    expect(laps('B#900/40 +9000 A>status(job)=running '.repeat(5))).toBe(5);
  });

  it('[LAP7] wait where the two calls of a lap take ten seconds together', () => {
    const took = (durationMs: number): number => {
      const analyzer = new Analyzer();
      const call = { kind: 'tool-call', agent: 'A', args: {}, result: 'running' } as const;
      const calls = Array.from({ length: 8 }, (_, i) =>
        analyzer.observe({ ...call, tool: i % 2 ? 'sleep' : 'look', at: 6000 * i, durationMs }),
      );
      return calls.at(-1)?.laps?.laps ?? 0;
    };
    expect(took(5000)).toBe(0);
    expect(took(4999)).toBe(4);
  });

  it('[LAP7] wait for patienceMs, though never for fewer than 64 laps', () => {
    const wait = (times: number, patienceMs: number): number =>
      laps(poll(times, 20_000), { patienceMs });
    expect(wait(60, 0)).toBe(0);
    expect(wait(66, 0)).toBeGreaterThan(3);
    expect(wait(100, 3_600_000)).toBe(0);
  });

  it('[LAP7] add no suspicion while they wait', () => {
    const score = (text: string): number => lastStep(text).suspicion.score;
    const remarks = 'A:"Nothing new yet, I shall wait." ';
    expect(score(poll(30, 15_000, remarks))).toBeLessThan(2);
    expect(score(poll(30, 5000, remarks))).toBeGreaterThan(20);
  });

  it('[LAP7] wait no longer than four times a lap after their latest call, or patienceMs', () => {
    const asked = poll(6, 19_000);
    const remarks = 'A:"Nothing new yet, I shall wait." '.repeat(12);
    const score = (pauseMs: number, options?: AnalyzerOptions): number =>
      lastStep(`${asked}${remarks}+${pauseMs} ${remarks}`, options).suspicion.score;
    expect(score(55_000)).toBeLessThan(2);
    expect(score(80_000)).toBeGreaterThan(5);
    expect(score(10_000, { patienceMs: 15_000 })).toBeGreaterThan(5);
  });

  it.each([
    ['long and short pauses', '+40000 A>status(job)=running A>status(job)=running ', 75_000],
    ['a pause and a call', '+31000 A!exit0(sleep):"" A>status(job)=running ', 110_000],
  ])('[LAP7] measure a lap of %s as a whole', (_, lap, longest) => {
    const remarks = 'A:"Nothing new yet, I shall wait." '.repeat(12);
    const score = (pauseMs: number): number =>
      lastStep(`${lap.repeat(6)}+${pauseMs} ${remarks}`).suspicion.score;
    expect(score(longest - 12_000)).toBeLessThan(2);
    expect(score(longest + 60_000)).toBeGreaterThan(5);
  });

  it('[LAP7] take no two calls for waiting of which one fails', () => {
    const lap = '+31000 A!exit0(sleep):"" A!exit1(test):"KeyError: total" ';
    expect(laps(lap.repeat(6))).toBeGreaterThan(2);
  });

  describe('[LAP18] of an agent that writes its calls', () => {
    interface Polling {
      readonly pauseMs?: number;
      readonly replies?: readonly string[];
      readonly role?: 'user' | 'assistant';
      readonly isTimed?: boolean;
    }
    /** The most laps of an agent that writes the same 12 times, each time with a reply after a pause. */
    const written = ({
      pauseMs = 15_000,
      replies = ['It is pending.'],
      role = 'user',
      isTimed = true,
    }: Polling): number => {
      const analyzer = new Analyzer();
      let at = 0;
      let found = 0;
      for (let i = 0; i < 12; i++) {
        const asked = { agent: 'A', model: 'm' };
        if (isTimed) analyzer.observe({ kind: 'model-request', at, ...asked });
        at += 3000;
        if (isTimed) analyzer.observe({ ...USAGE, at, ...asked });
        at += pauseMs;
        const said = { kind: 'message', at, agent: 'A', role: 'assistant' } as const;
        analyzer.observe({ ...said, text: 'I look again. Action: status[42]' });
        const text = replies[i % replies.length] as string;
        const step = analyzer.observe({ kind: 'message', at, agent: 'tools', role, text });
        found = Math.max(found, step.laps?.laps ?? 0);
      }
      return found;
    };

    it('wait if the replies come slowly', () => {
      expect(written({})).toBe(0);
      expect(written({ pauseMs: 14_000 })).toBe(12);
    });

    it('wait for two different replies by turns, but not for three', () => {
      expect(written({ replies: ['It is pending.', 'It is queued.'] })).toBe(0);
      const three = ['It is pending.', 'It is queued.', 'It is paused.'];
      expect(written({ replies: three })).toBeGreaterThan(3);
    });

    it('do not wait if the agents may only be slow to answer', () => {
      expect(written({ isTimed: false })).toBe(12);
      expect(written({ role: 'assistant' })).toBe(12);
    });

    it('do not wait if the replies are failures', () => {
      expect(written({ replies: ['exitcode: 1 (execution failed)\nCode output: no answer'] })).toBe(
        12,
      );
    });
  });

  describe('[LAP17] do not wait while', () => {
    /** The laps of polls of which each is asked of a model that takes so long, and is made after a pause. */
    const asked = (modelMs: number, pauseMs: number): number => {
      const analyzer = new Analyzer();
      let at = 0;
      let found = 0;
      for (let i = 0; i < 6; i++) {
        const base = { agent: 'A', model: 'm' };
        analyzer.observe({ kind: 'model-request', at, ...base });
        at += modelMs;
        analyzer.observe({ ...USAGE, at, ...base });
        at += pauseMs;
        const call = { kind: 'tool-call', tool: 'status', args: {}, durationMs: 0 } as const;
        const step = analyzer.observe({ ...call, at, agent: 'A', result: 'running' });
        found = Math.max(found, step.laps?.laps ?? 0);
      }
      return found;
    };

    it('a model answers, however slow it is', () => {
      expect(asked(40_000, 1000)).toBe(6);
      expect(asked(40_000, 15_000)).toBe(0);
    });

    it('the breaker holds their calls up, nor does the time count as that of a call', () => {
      const held = (heldMs: number, pauseMs: number): number => {
        const analyzer = new Analyzer();
        let at = 0;
        let found = 0;
        for (let i = 0; i < 6; i++) {
          at += pauseMs;
          analyzer.observe({ ...USAGE, at, agent: 'A', model: 'm' });
          analyzer.held(at, at + heldMs);
          at += heldMs;
          const call = { kind: 'tool-call', tool: 'status', args: {} } as const;
          const step = analyzer.observe({ ...call, at, agent: 'A', result: 'running' });
          found = Math.max(found, step.laps?.laps ?? 0);
        }
        return found;
      };
      expect(held(30_000, 1000)).toBe(6);
      expect(held(30_000, 15_000)).toBe(0);
    });

    it('both at once, which counts once', () => {
      const analyzer = new Analyzer();
      const laps = Array.from({ length: 4 }, (_, i) => {
        const at = 30_000 * i;
        analyzer.observe({ kind: 'model-request', at, agent: 'A', model: 'm' });
        analyzer.held(at, at + 8000);
        analyzer.observe({ ...USAGE, at: at + 10_000, agent: 'A', model: 'm' });
        const call = { kind: 'tool-call', tool: 'status', args: {}, durationMs: 0 } as const;
        return analyzer.observe({ ...call, at: at + 25_000, agent: 'A', result: 'running' }).laps;
      });
      expect(laps).toEqual([undefined, undefined, undefined, undefined]);
    });
  });

  it('[LAP7] wait until the next time after longer and longer waits', () => {
    const waits = [1000, 2000, 4000, 8000, 16_000, 32_000];
    const retries = waits.map((ms) => `+${ms} A>get(page)!"500 Server error" `);
    const remark = 'A:"Nothing new yet, I shall wait." ';
    expect(lastStep(`${retries.join(remark)}+60000 ${remark}`).suspicion.score).toBeLessThan(3);
  });
});

describe('laps of retries', () => {
  const retry = (waits: readonly number[], error = '500 Server error'): string =>
    waits.map((ms) => `+${ms - 1000} A>get(page)!${JSON.stringify(error)} `).join('');

  it('[RTR1] leave a failing call alone that is tried again after waits that grow', () => {
    expect(laps(retry([1000, 2000, 4000, 8000, 16_000, 32_000]))).toBe(0);
    expect(laps(retry([1000, 2000, 3000, 3000, 3000, 3000]))).toBe(0);
    expect(laps(retry([1000, 2000, 2900]))).toBe(3);
    expect(laps(retry([1000, 2000, 2000, 2000]))).toBe(4);
  });

  it('[RTR1] are made again once a wait is shorter than the one before', () => {
    expect(laps(retry([1000, 2000, 4000, 3600]))).toBe(0);
    expect(laps(retry([1000, 2000, 4000, 3599]))).toBe(4);
    expect(laps(retry([1000, 2000, 4000, 3599, 2000, 4000]))).toBe(6);
  });

  it('[RTR1] leave a failing call alone whose waits are drawn by lot, and grow', () => {
    expect(laps(retry([1000, 3000, 1500, 9000, 5000]))).toBe(0);
    expect(laps(retry([1000, 3000, 1500, 9000, 5000, 14_000]))).toBe(0);
    expect(laps(retry([1000, 2000, 4000, 8000, 10_500, 9200, 9900]))).toBe(0);
    expect(laps(retry([1000, 3000, 1500, 4000, 5900, 2500]))).toBe(6);
    expect(laps(retry([1000, 3000, 1500, 9000, 2000, 3000]))).toBe(6);
    expect(laps(retry([1000, 4000, 1000, 4000, 3999]))).toBe(0);
    expect(laps(retry([1000, 5000, 1000]))).toBe(3);
    expect(laps(retry([1000, 5000, 4000, 9000, 1500, 8000]))).toBe(6);
  });

  it('[RTR1] take waits of less than a second for none', () => {
    const hasty = (waits: readonly number[]): number => {
      const analyzer = new Analyzer();
      let at = 0;
      const steps = waits.map((ms) => {
        at += ms;
        const base = { kind: 'tool-call', at, agent: 'A', tool: 'get', args: {} } as const;
        return analyzer.observe({ ...base, error: { message: '500 Server error' } });
      });
      return steps.at(-1)?.laps?.laps ?? 0;
    };
    expect(hasty([0, 100, 300, 999])).toBe(4);
    expect(hasty([0, 100, 300, 1000])).toBe(0);
  });

  it('[RTR1] take what the call itself took for the wait, where that is longer', () => {
    const analyzer = new Analyzer();
    let at = 0;
    const steps = [0, 2000, 4000, 8000].map((durationMs) => {
      at += durationMs + 100;
      const base = { kind: 'tool-call', agent: 'A', tool: 'get', args: {} } as const;
      return analyzer.observe({ ...base, at, durationMs, error: { message: '500 Server error' } });
    });
    expect(steps.at(-1)).toMatchObject({ isBackingOff: true, laps: undefined });
  });

  describe('[RTR6] take the time in which a model answers', () => {
    /** The most laps of a call that fails after each of these waits. */
    const asked = (waits: readonly number[], isModel: boolean, message: string): number => {
      const analyzer = new Analyzer();
      let at = 0;
      let found = 0;
      for (const ms of [0, ...waits]) {
        const base = { agent: 'A', model: 'm' };
        analyzer.observe({ kind: 'model-request', at, ...base });
        analyzer.observe({ ...USAGE, at: isModel ? at + ms : at, ...base });
        at += ms;
        const call = { kind: 'tool-call', tool: 'get', args: {}, durationMs: 0 } as const;
        const step = analyzer.observe({ ...call, at, agent: 'A', error: { message } });
        found = Math.max(found, step.laps?.laps ?? 0);
      }
      return found;
    };

    it('for no wait that grows', () => {
      const waits = [1000, 3000, 1500, 9000, 5000, 14_000];
      expect(asked(waits, true, '500 Server error')).toBe(7);
      expect(asked(waits, false, '500 Server error')).toBeLessThan(5);
    });

    it('for a wait of 15 seconds where a service turns calls away', () => {
      const waits = Array<number>(6).fill(15_000);
      expect(asked(waits, true, '429 too many requests')).toBe(0);
      expect(asked(waits, true, '500 Server error')).toBe(7);
    });
  });

  it('[RTR2] begin the waits anew once the call works', () => {
    const outage = retry([1000, 2000, 4000, 8000]);
    expect(laps(`${outage}A>get(page)=fine ${outage}`)).toBe(0);
    const again = retry([1000, 2000, 4000]);
    expect(laps(`${outage}A>post(page)=fine ${again}`)).toBeGreaterThan(2);
    expect(laps(`${outage}A>get(page)=fine ${again}`)).toBe(0);
  });

  it('[RTR3] leave waits of 15 seconds alone where a service turns calls away', () => {
    const turnedAway = (ms: number): boolean =>
      lastStep(retry([1000, ms, ms, ms], '429 too many requests')).isBackingOff;
    expect(turnedAway(15_000)).toBe(true);
    expect(turnedAway(14_999)).toBe(false);
    expect(lastStep(retry([1000, 15_000, 15_000], '500 Server error')).isBackingOff).toBe(false);
  });

  describe('[RTR7] leave a failing call alone that is looked at', () => {
    const FAILED = { agent: 'A', error: { message: 'error: 1 of 12 updated' } } as const;
    const CALL = { kind: 'tool-call', tool: 'rollout', args: {}, ...FAILED } as const;

    /** The most laps of a call that fails after each of these times; `between` happens so many milliseconds before it begins. */
    const looked = (
      waits: readonly number[],
      { durationMs = 2000, between }: { durationMs?: number; between?: [SignalInput, number] } = {},
    ): number => {
      const analyzer = new Analyzer();
      let at = 0;
      let found = 0;
      for (const ms of [0, ...waits]) {
        at += ms + durationMs;
        if (between !== undefined) {
          const [signal, beforeMs] = between;
          analyzer.observe({ ...signal, at: Math.max(0, at - durationMs - beforeMs) } as Signal);
        }
        const step = analyzer.observe({ ...CALL, at, durationMs });
        found = Math.max(found, step.laps?.laps ?? 0);
      }
      return found;
    };
    const times = (count: number, ms: number): readonly number[] => Array<number>(count).fill(ms);

    it('after 45 seconds of silence each time', () => {
      expect(looked(times(20, 45_000))).toBe(0);
      expect(looked(times(4, 44_999))).toBe(5);
    });

    it('until it is quiet for less than three quarters of the time before', () => {
      expect(looked([60_000, 90_000, 67_500, 60_000])).toBe(0);
      expect(looked([60_000, 90_000, 67_499, 60_000])).toBe(5);
    });

    it.each([
      ['its agent speaks', { kind: 'message', agent: 'A', text: 'Again.' }],
      ['another agent speaks', { kind: 'message', agent: 'B', text: 'Look again.' }],
      ['a model answers', { ...USAGE, agent: 'A', model: 'm' }],
    ] as const)('but not where %s right before', (_, said) => {
      expect(looked(times(5, 60_000), { between: [said, 1000] })).toBeGreaterThan(2);
      expect(looked(times(5, 120_000), { between: [said, 60_000] })).toBe(0);
    });

    it('but not where something else is run each time', () => {
      const ran = { ...RUN, agent: 'A' };
      expect(looked(times(5, 120_000), { between: [ran, 60_000] })).toBeGreaterThan(2);
    });

    it('whose own time is no silence, and has to be known', () => {
      expect(looked(times(4, 1000), { durationMs: 60_000 })).toBe(5);
      const analyzer = new Analyzer();
      const steps = [0, 1, 2].map((i) => analyzer.observe({ ...CALL, at: 60_000 * i }));
      expect(steps.at(-1)?.laps?.laps).toBe(3);
    });
  });

  it('[RTR4] are made of retries that back off after half an hour and 64 laps', () => {
    const steady = (times: number, ms: number): number =>
      laps(retry([1000, ms / 2, ...Array<number>(times).fill(ms)]));
    expect(steady(62, 20_000)).toBe(0);
    expect(steady(100, 20_000)).toBeGreaterThan(3);
  });

  it('[RTR5] count calls of one declared key, however long the waits', () => {
    const tools = { get: { loopKey: () => 'any' } };
    expect(laps(retry([1000, 2000, 4000, 8000]), { tools })).toBe(4);
  });
});
