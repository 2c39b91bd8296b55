import { timeline, transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/detection/analyzer.ts';
import { Detection } from '../../../src/detection/detection.ts';
import { RateDetector, type RateOptions } from '../../../src/detection/detectors/rate.ts';
import { Breaker, type Signal } from '../../../src/index.ts';

function rate(text: string, stepMs: number, options?: RateOptions): string {
  return timeline(new RateDetector(options), transcript(text, { stepMs }));
}

const failed = 'A>fetch("x")!"500 Server error" ';
const refused = 'A>fetch("x")!"429 too many requests" ';
const rejected = `A>fetch("x")!"The user doesn't want to proceed with this tool use." `;
/** Refused each time, with other arguments. */
function others(times: number): string {
  return Array.from({ length: times }, (_, i) => refused.replace('"x"', `"x${i * i}y"`)).join('');
}

describe('RateDetector', () => {
  it('[RAT1] trips when a failing call is tried again and again without a pause', () => {
    expect(rate(failed.repeat(5), 100)).toBe('....T');
    expect(rate(failed.repeat(5), 1000)).toBe('.....');
  });

  it.each([
    ['a model was asked', 'A#900/40 '],
    ['its agent spoke', 'A:"Let me try another way." '],
    ['another agent spoke', 'B:"Please try another way." '],
  ])('[RAT1] leaves failures alone between which %s, however fast', (_, thought) => {
    expect(rate(`${failed}${thought}`.repeat(8), 100)).not.toContain('T');
  });

  it('[RAT1] begins anew once a person has spoken', () => {
    const asked = `${failed.repeat(4)}P?"Try it again." ${failed.repeat(4)}`;
    expect(rate(asked, 100)).not.toContain('T');
    expect(rate(`${asked}${failed}`, 100)).toBe('.........T');
  });

  it('[RAT1] does not take a call that worked for a thought', () => {
    expect(rate(`${failed}A>clock()=12:00 `.repeat(5), 100)).toBe('........T.');
  });

  describe('[RAT1] counts', () => {
    /** Failing calls, each with its item, when it begins and when it has failed. */
    const calls = (
      times: readonly (readonly [item: string, began: number, failedAt: number])[],
      error = (_: string): string => '500 Server error',
    ): string => {
      const signals = times.map(([item, began, at]) => ({
        kind: 'tool-call' as const,
        at,
        agent: 'A',
        tool: 'fetch',
        args: { item },
        error: { message: error(item) },
        durationMs: at - began,
      }));
      return timeline(new RateDetector(), signals);
    };
    const items = ['ann', 'bob', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'];

    it('calls that were sent side by side as one', () => {
      const batch = (from: number) =>
        items.map((item, i) => [item, from, from + 50 + 10 * i] as const);
      expect(calls(batch(0))).not.toContain('T');
      expect(calls([0, 200, 400, 600].flatMap(batch))).not.toContain('T');
      expect(calls([0, 200, 400, 600, 800].flatMap(batch)).indexOf('T')).toBe(4 * items.length);
    });

    it('them so even if they fail at once, but for the rounding of clocks', () => {
      expect(calls(items.map((item) => [item, 100, 101]))).not.toContain('T');
      expect(calls(items.map((item, i) => [item, 100 * i - 2, 100 * i + 100]))).toBe('....TTTT');
      expect(calls(items.map((item, i) => [item, 100 * i - 3, 100 * i + 100]))).not.toContain('T');
    });

    it('the same call by as often as it is made, side by side or not', () => {
      expect(calls(items.map((_, i) => ['ann', 0, 50 + i]))).toBe('....TTTT');
    });

    it('rounds of a few workers that go through a list', () => {
      const pool = items.map((item, i) => [item, 100 * (i >> 1), 100 * (i >> 1) + 100 + (i % 2)]);
      expect(calls([...pool, ['ida', 402, 500]] as never).indexOf('T')).toBe(8);
    });

    it('items of a list with the same error, and not those with one of their own', () => {
      const list = items.map((item, i) => [item, 300 * i, 300 * i + 20] as const);
      expect(calls(list)).toBe('....TTTT');
      expect(calls(list, (item) => `there is no user ${item}`)).not.toContain('T');
      const same = list.map(([, began, at]) => ['ann', began, at] as const);
      expect(calls(same, () => 'there is no user ann')).toBe('....TTTT');
    });
  });

  describe('[RAT9] lets an answer of any model of its agent', () => {
    const error = { message: 'Too Many Requests', code: '429' };
    const asked = (agent: string, model: string, at: number, isRefused: boolean): Signal => ({
      ...{ kind: 'usage', agent, model, at, inputTokens: 9, outputTokens: 9, costUsd: null },
      ...(isRefused && { error }),
    });
    const turns = (second: (at: number) => Signal): string =>
      timeline(
        new RateDetector(),
        Array.from({ length: 40 }, (_, i) => [
          asked('A', 'primary', 3000 * i, true),
          second(3000 * i + 500),
        ]).flat(),
      );

    it('make up for one that was refused', () => {
      expect(turns((at) => asked('A', 'fallback', at, false))).not.toContain('T');
    });

    it('and none that is refused, too, or is of another agent', () => {
      expect(turns((at) => asked('A', 'fallback', at, true)).indexOf('T')).toBe(18);
      expect(turns((at) => asked('B', 'fallback', at, false)).indexOf('T')).toBe(18);
    });
  });

  it('[RTR1] tells the retries of one model from the answers of another', () => {
    const error = { message: 'Too Many Requests', code: '429' };
    const usage = { kind: 'usage', inputTokens: 9, outputTokens: 9, costUsd: null } as const;
    const steps = (other: string, pauseMs: number): string =>
      timeline(
        new RateDetector(),
        Array.from({ length: 12 }, (_, i): Signal[] => [
          { ...usage, agent: 'A', model: 'primary', at: pauseMs * i, error },
          { ...usage, agent: other, model: 'fallback', at: pauseMs * i + 500, error },
        ]).flat(),
      );
    expect(steps('A', 15_000)).not.toContain('T');
    expect(steps('A', 14_000)).toContain('T');
  });

  it('[RAT6] counts refusals one by one for each of which a model was asked, however fast', () => {
    const asked = Array.from({ length: 25 }, (_, i) => `A#9/9 ${refused.replace('x', `x${i}`)}`);
    expect(rate(asked.join(''), 1).indexOf('T')).toBe(39);
  });

  it('[RAT6] counts refusals that came side by side as one', () => {
    const denied = (i: number, at: number): Signal => ({
      kind: 'tool-call',
      at,
      agent: 'A',
      tool: 'fetch',
      args: { item: `x${i}` },
      error: { message: '429 too many requests' },
      durationMs: 500,
    });
    const batch = Array.from({ length: 25 }, (_, i) => denied(i, 500 + 10 * i));
    expect(timeline(new RateDetector(), batch)).not.toContain('T');
    const list = Array.from({ length: 25 }, (_, i) => denied(i, 2000 * i));
    expect(timeline(new RateDetector(), list).indexOf('T')).toBe(19);
  });

  it('[RAT5] trips when a service turns the same call away five times in a row', () => {
    expect(rate(refused.repeat(6), 3000)).toBe('....TT');
    expect(rate(refused.repeat(4), 3000)).toBe('....');
    expect(rate(refused.repeat(4), 3000, { limit: 3 })).toBe('..TT');
  });

  it('[RAT5] trips whatever is said in between', () => {
    expect(rate(`A:"Let me try again." ${refused}`.repeat(5), 3000)).toBe('.........T');
  });

  it('[RAT5] leaves retries alone that back off, or wait as long as services ask for', () => {
    const waits = [0, 2000, 4000, 8000, 16_000, 32_000, 64_000];
    expect(rate(waits.map((ms) => `+${ms} ${refused}`).join(''), 10)).not.toContain('T');
    expect(rate(refused.repeat(12), 15_000)).not.toContain('T');
    expect(rate(refused.repeat(12), 14_000)).toContain('T');
  });

  it('[RAT5] leaves those alone who are turned away with something else each time', () => {
    expect(rate(others(12), 3000)).toBe('............');
  });

  it('[RAT5] trips at half as many refusals of one call that was denied', () => {
    const denied = transcript('A>fetch("x")!"not allowed" '.repeat(10)).map((call) => ({
      ...call,
      executed: false,
    })) as Signal[];
    expect(timeline(new RateDetector(), denied)).toBe('.........T');
    expect(timeline(new RateDetector({ refusals: 8 }), denied.slice(0, 4))).toBe('...T');
  });

  it('[RAT6] trips at the twentieth refusal in a row, whatever the waits and whatever is asked', () => {
    expect(rate(refused.repeat(25), 60_000).indexOf('T')).toBe(19);
    expect(rate(others(25), 60_000).indexOf('T')).toBe(19);
  });

  it('[RAT7] leaves a person alone who rejects one call after another', () => {
    const edits = Array.from({ length: 30 }, (_, i) => rejected.replace('"x"', `"x${i * i}y"`));
    expect(rate(edits.join(''), 3000)).not.toContain('T');
  });

  it('[RAT7] trips when a person rejects the same call over and over', () => {
    expect(rate(rejected.repeat(12), 3000)).toContain('T');
  });

  it('[RAT5] does not count an error that is no refusal', () => {
    expect(rate(`A>fetch("x")!boom ${refused.repeat(5)}`, 3000)).toBe('.....T');
  });

  it('[RAT5] begins anew once a call gets through', () => {
    const through = 'A>fetch("x")=rows ';
    expect(rate(`${refused.repeat(4)}${through}${refused.repeat(4)}`, 3000)).not.toContain('T');
  });

  it('[RAT8] is certain, and declared where a rate is', () => {
    const basis = (text: string, options?: RateOptions): unknown => {
      const analyzer = new Analyzer();
      const detector = new RateDetector(options);
      const found = transcript(text, { stepMs: 100 }).map((signal) =>
        detector.observe(analyzer.observe(signal)),
      );
      return found.at(-1)?.basis;
    };
    expect(basis(failed.repeat(5))).toBe('certain');
    expect(basis(refused.repeat(5))).toBe('certain');
    const rates = [{ signal: 'message', max: 1, perMs: 1000 }] as const;
    expect(basis('A:a B:b', { rates })).toBe('declared');
  });

  it('[RAT2] trips beyond a declared rate, and not at it', () => {
    const rates = [{ signal: 'message', max: 3, perMs: 1000 }] as const;
    expect(rate('A:a B:b A:c B:d', 100, { rates })).toBe('...T');
    expect(rate('A:a B:b A:c B:d', 400, { rates })).toBe('....');
  });

  it('[RAT2] looks at the latest stretch alone, however slow it was before', () => {
    const rates = [{ signal: 'message', max: 1, perMs: 1000 }] as const;
    expect(rate('A:a +900 B:b +900 A:c', 100, { rates })).toBe('...');
    expect(rate('A:a +900 B:b +900 A:c B:d', 100, { rates })).toBe('...T');
  });

  it('[RAT2] counts a declared rate on when the detectors begin afresh', () => {
    const rates = [{ signal: 'message', max: 3, perMs: 1000 }] as const;
    const detection = new Detection({ rate: { rates } }, { nameOf: String, report: () => {} });
    const found = (text: string) =>
      transcript(text).flatMap((signal) => detection.findings(detection.read(signal)));
    expect(found('A:a B:b A:c')).toEqual([]);
    detection.startAfresh();
    expect(found('B:d')).toMatchObject([{ kind: 'rate' }]);
    detection.reset();
    expect(found('B:d')).toEqual([]);
  });

  it('[RAT2] keeps nothing from beginning but what is declared', () => {
    const rates = [{ signal: 'tool-call', max: 1, perMs: 1000 }] as const;
    const breaker = new Breaker({ now: () => 0, rate: { rates } });
    const step = { agent: 'A', at: 0 };
    const call = { ...step, kind: 'tool-call', tool: 'look', args: {} } as const;
    breaker.observe({ ...call, result: 'none' });
    expect(breaker.admit({ ...step, kind: 'turn' })).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(call)).toMatchObject({ isAdmitted: false });
  });

  it('[RAT3] refuses a rate of nothing and names the option', () => {
    const rates = [{ signal: 'message', max: 1, perMs: 0 }] as const;
    expect(() => new RateDetector({ rates })).toThrow("option 'rate");
  });
});
