import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/kit.ts';

const ROUNDS = 12;

/** Edits that differ, each with a run of the tests that comes to `resultOf(round)`; after how many rounds the team is stopped. */
function rounds(resultOf: (round: number) => JsonValue, options: BreakerOptions = {}): number {
  const breaker = new Breaker({ now: () => 0, ...options });
  for (let round = 0; round < ROUNDS; round++) {
    const at = round * 20_000;
    const steps: Signal[] = [
      {
        ...{ kind: 'tool-call', at, agent: 'coder', tool: 'edit' },
        ...{ args: { line: round, text: `const total${round} = ${round * 31};` }, result: 'done' },
      },
      {
        ...{ kind: 'tool-call', at: at + 9000, agent: 'coder', tool: 'test', args: {} },
        result: resultOf(round),
      },
    ];
    if (steps.some((step) => breaker.observe(step) !== undefined)) return round + 1;
  }
  return Number.POSITIVE_INFINITY;
}

const FAIL = 'FAIL sum.test.ts\nAssertionError: expected 3 to be 4';
const NEVER = Number.POSITIVE_INFINITY;

describe('an agent that edits anew and gets the same failing test each round', () => {
  it.each<[string, (round: number) => JsonValue]>([
    ['exitCode', () => ({ exitCode: 1, output: FAIL })],
    ['exit_code', () => ({ exit_code: 1, stdout: FAIL, stderr: '' })],
    ['returncode', () => ({ returncode: 1, output: FAIL })],
    ['a time beside it', (round) => ({ exitCode: 1, took: 100 + 7 * round, output: FAIL })],
    ['ok', () => ({ ok: false, output: FAIL })],
    ['success', () => ({ success: false, output: FAIL })],
    ['a status', () => ({ status: 'error', output: FAIL })],
    ['a list of errors', () => ({ errors: [{ message: FAIL }] })],
    ['JSON as text', () => JSON.stringify({ success: false, output: FAIL })],
    ['an exit code in front', () => `<returncode>1</returncode>\n<output>\n${FAIL}\n</output>`],
  ])('[STO21] is stopped in the fifth: %s', (_, resultOf) => {
    expect(rounds(resultOf)).toBe(5);
  });

  it('[STO21] is left alone while the tests fail otherwise, or succeed', () => {
    const cases = ['sum', 'mean', 'median', 'mode', 'range', 'sort', 'trim', 'join'];
    const other = (round: number) => `FAIL ${cases[round % 8]}: nothing is ${round * 31}`;
    expect(rounds((round) => ({ exitCode: 1, output: other(round) }))).toBeGreaterThan(8);
    expect(rounds((round) => ({ exitCode: round % 4 === 3 ? 0 : 1, output: FAIL }))).toBe(NEVER);
    expect(rounds(() => ({ exitCode: 0, output: '31 passed', errors: [] }))).toBe(NEVER);
  });

  it('[STO22] is stopped where the tool declares what a failure is', () => {
    const result = { state: 'crashed', output: FAIL };
    expect(rounds(() => result)).toBe(NEVER);
    const byField = { field: 'state', is: ['crashed', 'lost'] };
    const byFunction = (found: JsonValue) => Object(found).state === 'crashed';
    for (const isFailure of [byField, byFunction]) {
      const options = { analysis: { tools: { test: { isFailure } } } };
      expect(rounds(() => result, options)).toBe(5);
      expect(rounds(() => JSON.stringify(result), options)).toBe(isFailure === byField ? 5 : NEVER);
      expect(rounds(() => ({ ...result, state: 'up' }), options)).toBe(NEVER);
    }
  });

  it('[STO22] compares values of a field as texts', () => {
    const options = {
      analysis: { tools: { test: { isFailure: { field: 'up', is: ['false'] } } } },
    };
    expect(rounds(() => ({ up: false, output: FAIL }), options)).toBe(5);
    expect(rounds(() => ({ up: 'no', output: FAIL }), options)).toBe(NEVER);
    expect(rounds(() => ({ up: { false: false }, output: FAIL }), options)).toBe(NEVER);
  });

  it('[STO22] is left alone where a failure is declared to be none', () => {
    const isFailure = () => false;
    const options = { analysis: { tools: { test: { isFailure } } } };
    expect(rounds(() => ({ exitCode: 1, output: FAIL }), options)).toBe(NEVER);
  });
});

describe('a tool that looks at what has failed', () => {
  it('[STO11] may find the same of one thing after the other', () => {
    const breaker = new Breaker();
    const names = Array.from({ length: 30 }, (_, i) => `user${i * 37}@example.com`);
    const trips = names.map((name, i) =>
      breaker.observe({
        ...{ kind: 'tool-call', at: i * 9000, agent: 'clerk', tool: 'validate' },
        ...{ args: { name }, result: { success: false, name } },
      }),
    );
    expect(trips.filter(Boolean)).toEqual([]);
  });

  it('[STO11] may find the same few words of one thing after the other', () => {
    const breaker = new Breaker();
    const trips = Array.from({ length: 30 }, (_, i) =>
      breaker.observe({
        ...{ kind: 'tool-call', at: i * 9000, agent: 'clerk', tool: 'validate' },
        ...{ args: { id: i * 37 }, result: { ok: false } },
      }),
    );
    expect(trips.filter(Boolean)).toEqual([]);
  });
});
