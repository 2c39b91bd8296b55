import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { ExecutionStormDetector } from '../../src/detectors/execution-storm.ts';
import { Breaker, type BreakerOptions } from '../../src/index.ts';
import { timeline, transcript } from '../../src/testing/index.ts';

const PARTS = ['forms', 'dates', 'images', 'slides', 'modal', 'toast', 'router', 'charts'];
/** Runs of code, each with another program and the given output. */
function runs(...outputs: readonly string[]): string {
  return outputs
    .map((output, i) => {
      const [exit, ...text] = output.split(' ');
      return `E!exit${exit}("run(${i})"):${JSON.stringify(text.join(' '))}`.replace(
        /\("run\((\d+)\)"\)/,
        '("run $1")',
      );
    })
    .join(' ');
}

/** The same each time, with something new said in between: so the storm is none of the laps. */
function amidNews(step: string, times: number): string {
  return Array.from({ length: times }, (_, i) => `${step} B:"Row ${i * 31 + 40} is gone." `).join(
    '',
  );
}

function storm(text: string, options = {}): string {
  return timeline(new ExecutionStormDetector(options), transcript(text));
}

describe('ExecutionStormDetector', () => {
  it('[STO1] trips at the fifth time of the very same error, whatever its numbers', () => {
    const error = "1 KeyError: 'revenue'";
    expect(storm(runs(error, error, error, error, error))).toBe('....T');
    const attempts = [5, 4, 3, 2, 1].map((n) => `1 login refused, ${n} attempts left`);
    expect(storm(runs(...attempts))).toBe('....T');
  });

  it('[STO2] trips at the tenth failure in a row, those not counted that are like none before', () => {
    const errors = ['KeyError: no total', 'TypeError: no number', 'ValueError: no date'];
    const row = Array.from({ length: 12 }, (_, i) => `1 ${errors[i % 3]}`);
    expect(storm(runs(...row))).toBe('...........T');
  });

  it('[STO13] begins anew in another file or function', () => {
    const at = (name: string) =>
      `1 Traceback (most recent call last):\n  File "run.py", line 3, in ${name}\n    total(rows)\nTypeError: no number`;
    const places = ['load', 'clean', 'sum', 'draw', 'save', 'mail', 'sign'].map(at);
    expect(storm(runs(...places))).toBe('.......');
    const moved = [3, 5, 6, 8, 9].map((line) => at('load').replace('line 3', `line ${line}`));
    expect(storm(runs(...moved))).toBe('....T');
    const files = Array.from({ length: 5 }, (_, i) =>
      createHash('md5').update(`${i}`).digest('hex'),
    );
    const written = files.map((hash) => at('load').replace('run.py', `/work/tmp_code_${hash}.py`));
    expect(storm(runs(...written))).toBe('....T');
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
    const analyzer = new Analyzer();
    const detector = new ExecutionStormDetector();
    const finding = transcript(runs(...errors))
      .map((signal) => detector.observe(analyzer.observe(signal)))
      .find((found) => found !== undefined);
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

  it('[STO16] trips for certain once the very same call has failed alike in three laps', () => {
    const call = 'A>register(tariff)!"403 Subscription required" ';
    expect(storm(call.repeat(3), { limit: 20, sameErrorLimit: 20 })).toBe('..T');
    const analyzer = new Analyzer();
    const detector = new ExecutionStormDetector();
    const findings = transcript(call.repeat(3)).map((signal) =>
      detector.observe(analyzer.observe(signal)),
    );
    expect(findings.at(-1)).toMatchObject({ basis: 'certain', evidence: { count: 3, limit: 3 } });
  });

  it('[STO17] suspects by its default limits, and declares those that a user has set', () => {
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].map((q) => `A>search("${q}")!"KeyError: total"`);
    const basis = (options: BreakerOptions) => {
      const breaker = new Breaker({ rate: false, ...options });
      for (const signal of transcript(calls.join(' '))) breaker.observe(signal);
      return breaker.conversation().trip?.basis;
    };
    expect(basis({})).toBe('suspected');
    expect(basis({ judge: () => 0 })).toBeUndefined();
    expect(basis({ judge: () => 0, executionStorm: { limit: 8 } })).toBe('declared');
  });

  it.each([
    [{ limit: 0 }, 'executionStorm.limit'],
    [{ limit: 2, sameErrorLimit: 3 }, 'executionStorm.sameErrorLimit'],
  ])('[STO7] refuses %j and names the option', (options, option) => {
    expect(() => new ExecutionStormDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
