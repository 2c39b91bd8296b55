import { createHash } from 'node:crypto';
import { timeline, transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import {
  ExecutionStormDetector,
  type ExecutionStormOptions,
} from '../../../src/detection/detectors/execution-storm.ts';
import type { Signal } from '../../../src/index.ts';
import { findings, PARTS, runs, storm } from '../../support/storms.ts';

/** The same each time, with something new said in between: so the storm is none of the laps. */
function amidNews(step: string, times: number): string {
  return Array.from({ length: times }, (_, i) => `${step} B:"Row ${i * 31 + 40} is gone." `).join(
    '',
  );
}

describe('ExecutionStormDetector', () => {
  it('[STO1] trips at the fifth time of the very same error, whatever its numbers', () => {
    const error = "1 KeyError: 'revenue'";
    expect(storm(runs(error, error, error, error, error))).toBe('....T');
    const attempts = [5, 4, 3, 2, 1].map((n) => `1 login refused, ${n} attempts left`);
    expect(storm(runs(...attempts))).toBe('....T');
  });

  it('[ANL5] begins anew once a person has spoken', () => {
    const failed = runs(...Array<string>(4).fill("1 KeyError: 'revenue'"));
    expect(storm(`${failed} P?"Try it once more." ${failed}`)).not.toContain('T');
  });

  describe('[STO23] lets an answer of any model of its agent', () => {
    const error = { message: '500 Server error' };
    const usage = { kind: 'usage', inputTokens: 9, outputTokens: 9, costUsd: null } as const;
    const turns = (second: string, isAnswered: boolean): string =>
      timeline(
        new ExecutionStormDetector(),
        Array.from({ length: 12 }, (_, i): Signal[] => [
          { ...usage, agent: 'A', model: 'primary', at: 3000 * i, error },
          {
            ...usage,
            agent: second,
            model: 'fallback',
            at: 3000 * i + 500,
            ...(!isAnswered && { error }),
          },
        ]).flat(),
      );

    it('make up for one that failed', () => {
      expect(turns('A', true)).not.toContain('T');
    });

    it('and none that fails, too, or is of another agent', () => {
      expect(turns('A', false).indexOf('T')).toBe(8);
      expect(turns('B', true).indexOf('T')).toBe(8);
    });
  });

  it('[STO23] lets no answer of a model make up for a call, nor a call for a model', () => {
    const failed = Array.from({ length: 12 }, (_, i) => `A>tool${i}(x)!"KeyError: total" A#9/9 `);
    expect(storm(failed.join(''))).toContain('T');
    const models = Array.from({ length: 12 }, (_, i): Signal[] => [
      ...transcript(`A>clock(${i})=${i * 31}`, { startAt: 3000 * i }),
      {
        ...{ kind: 'usage', inputTokens: 9, outputTokens: 0, costUsd: null },
        ...{ agent: 'A', model: `model${i}`, at: 3000 * i + 500 },
        error: { message: '500 Server error' },
      },
    ]).flat();
    expect(timeline(new ExecutionStormDetector(), models)).toContain('T');
  });

  it('[STO2] trips at the tenth failure in a row, those not counted that are like none before', () => {
    const errors = ['KeyError: no total', 'TypeError: no number', 'ValueError: no date'];
    const row = Array.from({ length: 12 }, (_, i) => `1 ${errors[i % 3]}`);
    expect(storm(runs(...row))).toBe('...........T');
  });

  /** A program that fails in a function, and is run from a file. */
  const failing = (name: string, line = 3, file = 'run.py'): string =>
    `1 Traceback (most recent call last):\n  File "${file}", line ${line}, in ${name}\n    total(rows)\nTypeError: no number`;
  const PLACES = ['load', 'clean', 'sum', 'draw', 'save', 'mail', 'sign'];

  it('[STO1] trips wherever the failing line is: on another line, or in another function or file', () => {
    expect(storm(runs(...[3, 5, 6, 8, 9].map((line) => failing('load', line))))).toBe('....T');
    expect(storm(runs(...PLACES.slice(0, 5).map((name) => failing(name))))).toBe('....T');
    const files = Array.from({ length: 5 }, (_, i) =>
      createHash('md5').update(`${i}`).digest('hex'),
    );
    const written = files.map((hash) => failing('load', 3, `/work/tmp_code_${hash}.py`));
    expect(storm(runs(...written))).toBe('....T');
  });

  it('[STO13] begins anew in another function once a call has succeeded with a new result', () => {
    const after = (step: (i: number) => string): string =>
      PLACES.map((name, i) => `${step(i)} ${runs(failing(name))}`).join(' ');
    expect(storm(after((i) => `A>read(part${i})="${PLACES[i]}: ${i * 31} lines"`))).not.toContain(
      'T',
    );
    expect(storm(after(() => 'A>edit(part)=ok'))).toContain('T');
    expect(storm(after((i) => `A:"Now I look at ${PLACES[i]}, line ${i * 31}."`))).toContain('T');
  });

  it('[STO13] goes on in the same function, whatever has succeeded', () => {
    const lines = [3, 5, 6, 8, 9].map(
      (line, i) => `A>read(part${i})=${i * 31} ${runs(failing('load', line))}`,
    );
    expect(storm(lines.join(' '))).toBe('.........T');
  });

  it('[STO14] takes an exit code without output for an error of the very same command alone', () => {
    const probes = PARTS.map((part) => `E!exit1("test -f ${part}"):""`);
    expect(storm(probes.join(' '))).not.toContain('T');
    expect(storm(amidNews('E!exit1("test -f modal"):""', 5))).toBe('........T.');
  });

  it('[STO15] counts for each agent by itself, and begins anew once anybody succeeds', () => {
    const failing = (agent: string, i: number) =>
      `${agent}>register(tariff${i})!"403 Subscription required" `;
    expect(storm(['A', 'B', 'C', 'D', 'E'].map(failing).join(''))).toBe('.....');
    const four = [0, 1, 2, 3].map((i) => failing('A', i)).join('');
    expect(storm(`${four}B>register(tariff)=open ${four}`)).not.toContain('T');
    expect(storm(`${four}B>withdraw(tariff)=done ${failing('A', 4)}`)).toBe('.....T');
  });

  it('[STO2] leaves failures with different causes alone', () => {
    const causes = [
      "1 KeyError: 'revenue'",
      '1 SyntaxError: invalid syntax',
      "1 ModuleNotFoundError: No module named 'pandas'",
      '1 ValueError: could not convert string to float',
    ];
    expect(storm(runs(...causes))).toBe('....');
  });

  it('[STO2] takes no line without a name for a category, as tools print it around every error', () => {
    const parts = ['roof', 'cellar', 'garden', 'kitchen', 'attic', 'porch'];
    const errors = parts.map((part) => `1 the ${part} has come loose\nStopped here.`);
    expect(storm(runs(...errors))).toBe('......');
  });

  it('[STO10] leaves errors of one category alone that each name something else', () => {
    const errors = PARTS.map((part) => `1 npm ERR! ERESOLVE: peer react@17 from ${part}-kit`);
    expect(storm(runs(...errors))).toBe('........');
  });

  it('[STO10] says how many failures there were, and shows them all', () => {
    const errors = [...PARTS, ...PARTS, ...PARTS].map((part) => `1 ERESOLVE: ${part} kit`);
    const finding = findings(runs(...errors)).find((found) => found !== undefined);
    expect(finding?.evidence.count).toBe(17);
    expect(finding?.evidence.indices).toHaveLength(17);
  });

  it('[STO3] begins anew after a success', () => {
    const error = "1 KeyError: 'revenue'";
    const four = [error, error, error, error];
    expect(storm(runs(...four, '0 total 42', ...four))).not.toContain('T');
  });

  it('[STO3] takes a falling number for progress in an error that is otherwise the same', () => {
    const counts = [9, 7, 5, 3, 1].map(
      (n) => `1 error[E0502]: cannot borrow self\nerror: could not compile, ${n} previous errors`,
    );
    expect(storm(runs(...counts))).toBe('.....');
  });

  it('[STO3] takes a falling number of failures for progress', () => {
    const counts = [9, 7, 5, 3, 2, 1].map((n) => `1 ${n} tests failed, see the report`);
    expect(storm(runs(...counts))).toBe('......');
  });

  it.each([
    "exitcode: 1 (execution failed)\nCode output: KeyError: 'revenue'",
    "The script ran, then exited with an error (POSIX exit code: 1)\nIts output was:\nKeyError: 'revenue'",
  ])('[STO4] reads the exit code out of %j', (text) => {
    const said = `E:${JSON.stringify(text)} C:"Let me try another way."`;
    expect(storm(`${said} `.repeat(5))).toContain('T');
  });

  it('[STO11] takes a status in a result for the same error only of the very same call', () => {
    const paid = (i: number) => `A>post(text${i})={"status":402,"title":"CreditsDepleted"} `;
    expect(storm([0, 1, 2, 3, 4, 5].map(paid).join(''))).not.toContain('T');
    expect(storm(amidNews(paid(0), 5))).toBe('........T.');
    const links = Array.from(
      { length: 60 },
      (_, i) => `A>check(page${i})={"status":${i % 9 === 8 ? 200 : 404}}`,
    );
    expect(storm(links.join(' '))).not.toContain('T');
  });

  it('[STO4] takes tools that fail the same way with other arguments for a storm', () => {
    const calls = ['a', 'b', 'c', 'd', 'e'].map(
      (q) => `A>search("${q}")!"Error: connection refused"`,
    );
    expect(storm(calls.join(' '))).toContain('T');
  });

  const call = 'A>register(tariff)!"403 Subscription required" ';

  it('[STO16] is certain once the very same call has failed alike in three laps', () => {
    expect(storm(call.repeat(3))).toBe('..T');
    expect(findings(call.repeat(3)).at(-1)).toMatchObject({
      basis: 'certain',
      evidence: { count: 3, limit: 3 },
    });
  });

  it('[STO16] is certain of it whatever is said again in between', () => {
    expect(storm(`${call}A:"Let me try that again." `.repeat(4))).toBe('......T.');
    expect(storm(`${call}B:"Please try that again." `.repeat(4))).toBe('......T.');
  });

  it('[STO16] leaves laps of two calls to others, and laps in which something works', () => {
    const two = 'A>register(tariff)!"403 Subscription required" A>pay(tariff)!"402 No money" ';
    expect(storm(two.repeat(3))).toBe('......');
    expect(storm('A>read(tariff)=closed A>register(tariff)!"403 Closed" '.repeat(3))).toBe(
      '......',
    );
  });

  /** The basis of the first finding, with other arguments each time. */
  const basis = (errors: readonly string[], options: ExecutionStormOptions = {}) => {
    const calls = errors.map((error, i) => `A>search(q${i})!${JSON.stringify(error)}`);
    return findings(calls.join(' '), options).find(Boolean)?.basis;
  };
  const SAME = Array.from({ length: 6 }, () => 'KeyError: total');
  const OTHERS = Array.from({ length: 12 }, (_, i) => `KeyError: ${i % 2 ? 'total' : 'sum'}`);

  it('[STO17] is certain of an identical error, and suspects the team for errors that are not new', () => {
    expect(basis(SAME)).toBe('certain');
    expect(basis(OTHERS)).toBe('suspected');
  });

  it('[STO17] declares what a user has set', () => {
    expect(basis(SAME, { limit: 5 })).toBe('declared');
    expect(basis(OTHERS, { limit: 8 })).toBe('declared');
  });

  it('[STO18] counts errors of one name or code wherever they are, if the user has set the limit', () => {
    const limit = { limit: 4 };
    const keys = PARTS.map((part) => `1 KeyError: '${part}'`);
    expect(storm(runs(...keys), limit)).toBe('...TTTTT');
    expect(storm(runs(...keys))).toBe('........');
    expect(storm(runs(...PLACES.map((name) => failing(name))), limit)).toBe('...TTTT');
    const codes = PARTS.map((part) => `A>search(${part})!"Error [E404]: ${part} is gone"`);
    expect(storm(codes.join(' '), limit)).toBe('...TTTTT');
  });

  it('[STO18] takes an error without a name by its line, but for what is quoted and the numbers in it', () => {
    const lines = PARTS.map((part, i) => `1 the file '${part}.csv' has ${i} rows too many`);
    expect(storm(runs(...lines), { limit: 4 })).toBe('...TTTTT');
    const others = [
      'the roof has come loose',
      'no water in the cellar',
      'a hedge too high',
      'cold',
    ];
    expect(storm(runs(...others.map((line) => `1 ${line}`)), { limit: 4 })).toBe('....');
  });

  it('[STO18] counts another category anew, and after a success of the target', () => {
    const row = (...names: string[]) => runs(...names.map((name) => `1 ${name}: total`));
    const [key, type] = ['KeyError', 'TypeError'];
    expect(storm(row(key, key, type, key, key), { limit: 3 })).toBe('.....');
    expect(storm(`${row(key, key)} E!exit0(check):fine ${row(key, key)}`, { limit: 3 })).toBe(
      '.....',
    );
  });

  it('[STO18] counts on through progress that by default begins anew, if the user has set the limit', () => {
    const fewer = [9, 7, 5, 3].map((n) => `1 KeyError: vat\n${n} tests failed`);
    expect(storm(runs(...fewer), { limit: 4 })).toBe('...T');
    const read = PLACES.map((name, i) => `A>read(part${i})=${i * 31} ${runs(failing(name))}`);
    expect(storm(read.join(' '), { limit: 4 })).toBe('.......T.T.T.T');
  });

  it('[STO20] leaves retries alone that back off', () => {
    const retry = (waits: readonly number[]): string =>
      waits.map((waitMs) => `+${waitMs} A>fetch(page)!"500 Server error"`).join(' ');
    expect(storm(retry([0, 2000, 4000, 8000, 16_000, 32_000, 64_000]))).not.toContain('T');
    expect(storm(retry([0, 2000, 2000, 2000]))).toContain('T');
  });

  it.each([
    [{ limit: 0 }, 'executionStorm.limit'],
    [{ maxInARow: 0 }, 'executionStorm.maxInARow'],
  ])('[STO7] refuses %j and names the option', (options, option) => {
    expect(() => new ExecutionStormDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
