import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../src/index.ts';

type Step = (i: number) => Signal;

/** The reason of the first trip, each step some seconds after the one before. */
function reasonOf(step: Step, options: BreakerOptions = {}, stepMs = 9000): string | undefined {
  const breaker = new Breaker({ now: () => 0, ...options });
  for (let i = 0; i < 30 && breaker.conversation().trip === undefined; i++) {
    breaker.observe({ ...step(i), at: i * stepMs });
  }
  return breaker.conversation().trip?.reason;
}

const CALL = { kind: 'tool-call', at: 0, agent: 'clerk', tool: 'search' } as const;
/** Fails with other arguments each time. */
const failing =
  (...messages: string[]): Step =>
  (i) => ({ ...CALL, args: { i }, error: { message: messages[i % messages.length] as string } });
const answering =
  (result: NonNullable<(Signal & { kind: 'tool-call' })['result']>): Step =>
  (i) => ({ ...CALL, args: { i }, result });
const running =
  (output: string, exitCode: number | null = 1): Step =>
  (i) => ({
    kind: 'execution',
    at: 0,
    agent: 'coder',
    language: 'python',
    code: `print(${i})`,
    exitCode,
    output,
    ...(exitCode === null && { timedOut: true }),
  });
const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "main.py", line 1, in <module>',
  "ModuleNotFoundError: No module named 'yfinance'",
].join('\n');
const SAME = 'failed five times in a row with the same error';

describe('the reason of failures', () => {
  it.each([
    ['an error that is thrown', failing('KeyError: total'), `'search' ${SAME}: 'KeyError: total'`],
    [
      'the text of a result that is marked as an error',
      answering({ isError: true, content: [{ type: 'text', text: 'no such file: a.txt' }] }),
      `'search' ${SAME}: 'no such file: a.txt'`,
    ],
    [
      'the message in an error field, with the status',
      answering({ status: 404, error: { code: 5, message: 'no such table: users' } }),
      `'search' ${SAME}: '404: no such table: users'`,
    ],
    [
      'the first of several errors',
      answering(JSON.stringify({ errors: [{ message: 'no such field' }, { message: 'b' }] })),
      `'search' ${SAME}: 'no such field'`,
    ],
    [
      'the last line of a traceback',
      running(TRACEBACK),
      `the code ${SAME}: 'ModuleNotFoundError: No module named ’yfinance’'`,
    ],
    [
      'what a run printed before its end',
      running('step 3', null),
      `the code ${SAME}: 'timeout: step 3'`,
    ],
  ])('[WHY2] quotes %s', (_, step, reason) => {
    expect(reasonOf(step)).toBe(reason);
  });

  it('[WHY2] quotes an answer as it is if it has no text for its error', () => {
    const answer: Step = () => ({ ...CALL, args: {}, result: { status: 500, error: true } });
    expect(reasonOf(answer)).toBe(
      `'search' failed three times in a row with the same error: '{"status":500,"error":true}'`,
    );
  });

  it('[WHY2] tells the exit code of a silent run', () => {
    const run: Step = (i) => ({ ...running('')(i), code: 'false' }) as Signal;
    expect(reasonOf(run)).toBe(
      "the code failed three times in a row with the same error: 'exit code 1'",
    );
  });

  it('[WHY2] quotes the last of several errors', () => {
    expect(reasonOf(failing('KeyError: a', 'TypeError: b'))).toBe(
      "'search' failed 11 times in a row, the last time with 'KeyError: a'",
    );
  });

  it('[WHY2] says how steps were tried again', () => {
    let n = 0;
    const hasty: Step = (i) => ({ ...failing(`Oops${n++}: no`)(i), args: {} }) as Signal;
    expect(reasonOf(hasty, {}, 1)).toBe(
      "clerk tried 'search' five times without a pause; the last error was 'Oops4: no'",
    );
    const error = { message: 'Too Many Requests', code: '429' };
    const refused: Step = (i) => ({ ...CALL, args: { i }, error });
    expect(reasonOf(refused)).toBe(
      "clerk tried 'search' 20 times and was refused each time; the last error was '429: Too Many Requests'",
    );
    const tokens = { model: 'gpt-4o', inputTokens: 0, outputTokens: 0 };
    const model: Step = () => ({ kind: 'usage', at: 0, agent: 'clerk', ...tokens, error });
    expect(reasonOf(model, {}, 2000)).toBe(
      "clerk tried model 'gpt-4o' ten times without waiting longer although it was refused each time; the last error was '429: Too Many Requests'",
    );
  });

  it('[WHY2] quotes no error with excerpts off', () => {
    const off = { excerpts: false };
    expect(reasonOf(failing('KeyError: total'), off)).toBe(`a tool ${SAME}`);
    expect(reasonOf(running(TRACEBACK), off)).toBe(`the code ${SAME}`);
  });

  it('[RED9] takes secrets out of an error before it is cut', () => {
    for (let length = 280; length < 400; length++) {
      const step = failing(`KeyError: ${'x'.repeat(length)} sk-proj-0a1b2c3d4e5f6g7h8i9j`);
      const reason = reasonOf(step) ?? '';
      expect(reason.length).toBeLessThanOrEqual(400);
      expect(reason).not.toContain('sk-proj');
    }
  });
});
