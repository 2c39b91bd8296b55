import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../../src/index.ts';
import type { Admission, ToolCallSignal } from '../../../src/kit.ts';
import { mainOf } from '../../support/signals.ts';

const TWO_SEARCHES: BreakerOptions = { limits: { tools: { search: { maxCalls: 2 } } } };

function breakerOf(options: BreakerOptions = TWO_SEARCHES): Breaker {
  return new Breaker({ now: () => 0, ...options });
}

function callOf(tool: string, i: number): Omit<ToolCallSignal, 'result'> {
  return { kind: 'tool-call', agent: 'clerk', tool, args: { page: i }, at: i };
}

/** Asks for calls one after another, and says of each whether it was made. */
function calls(breaker: Breaker, ...tools: readonly string[]): string[] {
  return tools.map((tool, i) => {
    const admission = breaker.admit(callOf(tool, i)) as Admission;
    if (!admission.isAdmitted) return admission.trip.isStepOnly ? 'refused' : 'stopped';
    breaker.observe({ ...callOf(tool, i), result: `row ${i * 31}` });
    return 'made';
  });
}

describe('the limit of a tool', () => {
  it('[LIM15] refuses the call beyond it alone, and lets other tools go on', () => {
    const breaker = breakerOf();
    const ends = calls(breaker, 'search', 'search', 'search', 'find', 'search', 'find', 'find');
    expect(ends).toEqual(['made', 'made', 'refused', 'made', 'refused', 'made', 'made']);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[LIM15] leaves a run alone that reaches it and calls no more', () => {
    const breaker = breakerOf();
    const found: unknown[] = [];
    breaker.on('finding', (finding) => found.push(finding));
    expect(calls(breaker, 'search', 'find', 'search', 'find')).not.toContain('refused');
    expect(found).toEqual([]);
  });

  it('[LIM15] says which, in the trip, in the event and in the signal of a call that was not made', () => {
    const breaker = breakerOf({ ...TWO_SEARCHES, maxToolCalls: 4 });
    const [refused, seen]: [unknown[], Signal[]] = [[], []];
    breaker.on('refusal', ({ trip }) => refused.push(trip));
    breaker.on('signal', ({ signal }) => seen.push(signal));
    calls(breaker, 'search', 'search', 'search');
    const reason = "the limit of 2 calls of 'search' is reached (limits.tools)";
    expect(refused).toMatchObject([
      {
        kind: 'limit',
        basis: 'declared',
        reason,
        isStepOnly: true,
        evidence: { count: 2, limit: 2, subject: "number of calls of 'search'" },
      },
    ]);
    expect(seen.at(-1)).toMatchObject({
      kind: 'tool-call',
      executed: false,
      error: { code: 'TEAMFUSE_REFUSED', message: reason },
    });
    expect(breaker.counters).toMatchObject({ toolCalls: 2, failures: 0, refusals: 1, trips: 0 });
    // It counts for no limit of the run.
    expect(calls(breaker, 'find')).toEqual(['made']);
  });

  it('[LIM15] names no tool with excerpts off', () => {
    const breaker = breakerOf({ ...TWO_SEARCHES, excerpts: false });
    const reasons: string[] = [];
    breaker.on('refusal', ({ trip }) => reasons.push(trip.reason));
    calls(breaker, 'search', 'search', 'search');
    expect(reasons).toEqual(['the limit of 2 calls of a tool is reached (limits.tools)']);
    expect(JSON.stringify(breaker.snapshot())).not.toContain('search');
  });

  it("[LIM15] holds under '*' for each tool that is not named", () => {
    const tools = { '*': { maxCalls: 1 }, search: { maxCalls: 2 }, find: {} };
    const breaker = breakerOf({ limits: { tools } });
    const asked = ['search', 'search', 'search', 'find', 'find', 'find', 'open', 'open', 'close'];
    const ends = calls(breaker, ...asked).map((end, i) => `${asked[i]} ${end}`);
    expect(ends.filter((end) => end.endsWith('refused'))).toEqual([
      'search refused',
      'open refused',
    ]);
  });

  it('[LIM15] starts from zero with a run, and is in the snapshot', () => {
    const breaker = breakerOf();
    calls(breaker, 'search', 'search');
    const restored = breakerOf();
    restored.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(calls(restored, 'search')).toEqual(['refused']);
    restored.conversation().beginRun();
    expect(calls(restored, 'search', 'search', 'search')).toEqual(['made', 'made', 'refused']);
  });

  it('[LIM15] needs no memory of the tools unless it is declared', () => {
    const remembered = (options: BreakerOptions): unknown => {
      const breaker = breakerOf(options);
      calls(breaker, 'search', 'search');
      return mainOf(breaker.snapshot()).detectors.limit;
    };
    expect(remembered({})).not.toHaveProperty('tools');
    expect(remembered(TWO_SEARCHES)).toHaveProperty('tools');
  });

  it('[LIM15] leaves runs of code alone', () => {
    const breaker = breakerOf({ limits: { tools: { '*': { maxCalls: 1 } } } });
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    const run = { kind: 'execution', agent: 'clerk', language: 'sh', exitCode: 0 } as const;
    for (const i of [1, 2, 3]) {
      expect(breaker.admit({ ...run, code: `ls ${i}`, at: i })).toMatchObject({ isAdmitted: true });
      breaker.observe({ ...run, code: `ls ${i}`, output: `row ${i * 31}`, at: i });
    }
    expect(errors).toEqual([]);
  });

  it('[LIM15] ends a run whose model asks for nothing else', () => {
    const breaker = breakerOf();
    const ends = calls(breaker, ...Array.from({ length: 30 }, () => 'search'));
    expect(ends.slice(0, 4)).toEqual(['made', 'made', 'refused', 'refused']);
    expect(ends.at(-1)).toBe('stopped');
  });

  it('[LIM15] refuses nothing where limits are only observed', () => {
    const breaker = breakerOf({ ...TWO_SEARCHES, reaction: { limit: 'observe' } });
    const reasons: string[] = [];
    breaker.on('finding', ({ finding }) => reasons.push(finding.reason));
    expect(calls(breaker, 'search', 'search', 'search')).toEqual(['made', 'made', 'made']);
    expect(reasons).toEqual(["the limit of 2 calls of 'search' is exceeded by 1 (limits.tools)"]);
  });

  it('[LIM16] stops the run with a call beyond it that nobody asked about', () => {
    const breaker = breakerOf();
    const trips = [1, 2, 3].map(
      (i) => breaker.observe({ ...callOf('search', i), result: `row ${i * 31}` })?.kind,
    );
    expect(trips).toEqual([undefined, undefined, 'limit']);
  });

  it('[GATE5] lets two of ten calls side by side begin, and every one of another tool', () => {
    const breaker = breakerOf();
    const asked = Array.from({ length: 20 }, (_, i) => {
      const tool = i % 2 === 0 ? 'search' : 'find';
      return { tool, admission: breaker.admit(callOf(tool, i)) as Admission };
    });
    const begun = (name: string): number =>
      asked.filter(({ tool, admission }) => tool === name && admission.isAdmitted).length;
    expect([begun('search'), begun('find')]).toEqual([2, 10]);
  });

  it('[GATE6] gives the place of a call that was not made to the next one', () => {
    const breaker = breakerOf();
    const permits = [1, 2].map((i) => breaker.admit(callOf('search', i)) as Admission);
    expect(calls(breaker, 'search')).toEqual(['refused']);
    const [first] = permits;
    if (first?.isAdmitted) first.permit.release();
    expect(calls(breaker, 'search', 'search')).toEqual(['made', 'refused']);
  });

  it.each<[BreakerOptions, string]>([
    [{ limits: { tools: { search: { maxCalls: 0 } } } }, 'limits.tools.search.maxCalls'],
    [{ limits: { tools: { search: 3 as never } } }, 'limits.tools.search'],
    [{ limits: { tools: { search: { max: 3 } as never } } }, 'limits.tools.search.max'],
    [{ limits: { agents: {} } as never }, 'limits.agents'],
  ])('[LIM6] is refused, naming the option: %j', (options, option) => {
    expect(() => breakerOf(options)).toThrow(expect.objectContaining({ option }));
  });
});
