import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { ExecutionStormDetector } from '../../src/detectors/execution-storm.ts';
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

function storm(text: string, options = {}): string {
  return timeline(new ExecutionStormDetector(options), transcript(text));
}

describe('ExecutionStormDetector', () => {
  it('[STO1] trips at the third time of the very same error', () => {
    const error = "1 KeyError: 'revenue'";
    expect(storm(runs(error, error, error))).toBe('..T');
  });

  it('[STO2] trips at the fifth error of one category that names nothing else than those before', () => {
    const errors = ['alpha beta', 'beta', 'alpha', 'beta, alpha', 'beta or alpha'].map(
      (names) => `1 KeyError: ${names} is missing`,
    );
    expect(storm(runs(...errors))).toBe('....T');
    expect(storm(runs(...errors.slice(0, 3)))).toBe('...');
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
    const errors = [...PARTS, 'tables', 'menus', 'trees'].map((part) => `1 ERESOLVE: ${part} kit`);
    const analyzer = new Analyzer();
    const detector = new ExecutionStormDetector();
    const findings = transcript(runs(...errors)).map((signal) =>
      detector.observe(analyzer.observe(signal)),
    );
    const { count, indices } = findings.at(-1)?.evidence ?? {};
    expect(count).toBe(errors.length);
    expect(indices).toHaveLength(errors.length);
  });

  it('[STO10] counts what only says again what was run as nothing new', () => {
    const words = PARTS.slice(0, 5).map((part) => {
      const shown = `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
      return `E!exit1("get ${part}"):"HttpError: ${shown} is locked"`;
    });
    expect(storm(words.join(' '))).toContain('T');
  });

  it('[STO3] begins anew after a success', () => {
    const error = "1 KeyError: 'revenue'";
    expect(storm(runs(error, error, '0 total 42', error, error))).toBe('.....');
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
    expect(storm(`${said} ${said} ${said}`)).toContain('T');
  });

  it('[STO2] trips at the fourth error that differs in names and numbers at most', () => {
    const errors = [5, 4, 3, 2].map((n) => `1 login refused, ${n} attempts left`);
    expect(storm(runs(...errors))).toBe('...T');
  });

  it('[STO11] gives a status in a result more time, and lets a working tool begin anew', () => {
    const paid = (i: number) => `A>post(text${i})={"status":402,"title":"CreditsDepleted"}`;
    const row = Array.from({ length: 12 }, (_, i) => paid(i)).join(' ');
    expect(storm(row).indexOf('T')).toBe(10);
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

  it.each([
    [{ limit: 0 }, 'executionStorm.limit'],
    [{ limit: 2, sameErrorLimit: 3 }, 'executionStorm.sameErrorLimit'],
  ])('[STO7] refuses %j and names the option', (options, option) => {
    expect(() => new ExecutionStormDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});
