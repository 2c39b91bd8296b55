import { describe, expect, it } from 'vitest';
import { Breaker, type Signal, type Step, TrippedError } from '../../src/index.ts';
import { message, modelRequest, turn } from '../support/signals.ts';

const call = { kind: 'tool-call', agent: 'clerk', at: 0, tool: 'add', args: [1, 2] } as const;
const code = { kind: 'execution', agent: 'coder', at: 0, language: 'sh', code: 'ls' } as const;
const chat = {
  kind: 'nested-start',
  agent: 'lead',
  at: 0,
  chatId: 'c1',
  depth: 1,
  path: ['lead', 'c1'],
  trigger: 'tool:review',
} as const;

function watched(options = {}): { breaker: Breaker; seen: Signal[] } {
  const breaker = new Breaker({ now: () => 5, ...options });
  const seen: Signal[] = [];
  breaker.on('signal', ({ signal }) => seen.push(signal));
  return { breaker, seen };
}

describe('running a step', () => {
  it.each([
    ['a turn', turn('writer'), 'Hello', [{ kind: 'message', agent: 'writer', text: 'Hello' }]],
    ['a tool call', call, 3, [{ kind: 'tool-call', tool: 'add', args: [1, 2], result: 3 }]],
    [
      'an execution',
      code,
      { exitCode: 1, output: 'no such file' },
      [{ kind: 'execution', code: 'ls', exitCode: 1, output: 'no such file' }],
    ],
    [
      'a model call',
      modelRequest({ requestId: 'r' }),
      { usage: { inputTokens: 7, outputTokens: 2, costUsd: 0.01 } },
      [
        { kind: 'model-request', requestId: 'r' },
        { kind: 'usage', requestId: 'r', inputTokens: 7, outputTokens: 2, costUsd: 0.01 },
      ],
    ],
    [
      'a nested chat',
      chat,
      'The summary.',
      [
        { kind: 'nested-start', chatId: 'c1' },
        { kind: 'nested-end', chatId: 'c1', depth: 1, text: 'The summary.' },
      ],
    ],
  ] as const)('[RUN1] reports the outcome of %s', async (_, request, value, signals) => {
    const { breaker, seen } = watched();
    await expect(breaker.run(request, () => value as unknown)).resolves.toBe(value);
    expect(seen).toMatchObject(signals);
  });

  it('[RUN2] reports an error once, and throws it', async () => {
    const { breaker, seen } = watched();
    const error = Object.assign(new TypeError('busy'), { code: 'RATE_LIMITED' });
    await expect(breaker.run(call, () => Promise.reject(error))).rejects.toBe(error);
    expect(seen).toMatchObject([{ error: { message: 'busy', code: 'RATE_LIMITED' } }]);
  });

  it('[RUN3] does not begin a refused step: it throws, or gives the fallback', async () => {
    const { breaker } = watched();
    breaker.stop('enough');
    let begun = 0;
    const work = (): number => ++begun;
    await expect(breaker.run(call, work)).rejects.toBeInstanceOf(TrippedError);
    await expect(breaker.run(call, work, { fallback: () => -1 })).resolves.toBe(-1);
    expect(begun).toBe(0);
  });

  it('[RUN4] stops waiting when the circuit opens, and aborts the signal', async () => {
    const { breaker } = watched();
    let signal: AbortSignal | undefined;
    const hung = breaker.run(call, (step) => {
      signal = step.signal;
      return new Promise<never>(() => {});
    });
    await Promise.resolve();
    const trip = breaker.stop('enough');
    await expect(hung).rejects.toMatchObject({ trip });
    expect(signal?.aborted).toBe(true);
  });

  it('[RUN4] reports the outcome of such a step when it comes', async () => {
    const { breaker, seen } = watched();
    let finish = (_: number): void => {};
    const late = breaker.run(call, () => new Promise<number>((resolve) => (finish = resolve)));
    await Promise.resolve();
    breaker.stop();
    await expect(late).rejects.toThrow(TrippedError);
    finish(3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toMatchObject([{ kind: 'tool-call', result: 3 }]);
  });

  it("[RUN5] passes the caller's own abort on", async () => {
    const { breaker } = watched();
    const controller = new AbortController();
    const hung = breaker.run(call, () => new Promise<never>(() => {}), {
      signal: controller.signal,
    });
    await Promise.resolve();
    controller.abort(new Error('gone'));
    await expect(hung).rejects.toThrow('gone');
    await expect(breaker.run(call, () => 1, { signal: controller.signal })).rejects.toThrow('gone');
  });

  it('[RUN6] lets the steps inside a probe pass, and frees the probe afterwards', async () => {
    let now = 0;
    const breaker = new Breaker({ maxMessages: 1, cooldownMs: 1000, now: () => now });
    breaker.observe(message('writer', 'one'));
    expect(breaker.conversation().trip?.kind).toBe('limit');
    const other = new Breaker({ cooldownMs: 1000, now: () => now });
    for (let i = 0; i < 3; i++) other.observe(message('writer', 'The same line once more.'));
    now = 2000;
    const text = await other.run({ ...turn('writer'), at: now }, async ({ permit }) => {
      const inner = { ...call, at: now };
      await expect(other.run(inner, () => 1)).rejects.toThrow(TrippedError);
      await other.run(inner, () => 1, { within: permit });
      return 'We meet at 7 on Tuesday in room 12.';
    });
    expect(text).toContain('room 12');
    expect(other.conversation().state.status).toBe('closed');
  });

  it('[RUN7] takes a report of its own, and emits one that is wrong as an error', async () => {
    const { breaker, seen } = watched();
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    await breaker.run(turn('writer'), () => ({ words: 'Hi' }), {
      report: (outcome) =>
        'value' in outcome ? message('writer', outcome.value.words) : undefined,
    });
    const wrong = { ...message('writer', 'x'), text: 5 } as never;
    await expect(breaker.run(turn('writer'), () => 1, { report: () => wrong })).resolves.toBe(1);
    expect(seen).toMatchObject([{ kind: 'message', text: 'Hi' }]);
    expect(errors).toMatchObject([{ field: 'text' }]);
  });

  it('[RUN13] takes a call of a tool without arguments for one with none', async () => {
    const { breaker, seen } = watched();
    const look = { kind: 'tool-call', agent: 'writer', tool: 'look' } as never;
    const run = (): Promise<unknown> => breaker.run(look, () => 'blue');
    await run();
    await run();
    await expect(run()).rejects.toBeInstanceOf(TrippedError);
    expect(seen).toMatchObject([{ tool: 'look', args: null }, { result: 'blue' }]);
  });

  it('[RUN13] refuses a call of a tool without its name', async () => {
    const { breaker } = watched();
    const unnamed = { kind: 'tool-call', agent: 'writer', name: 'look', args: {} } as never;
    await expect(breaker.run(unnamed, () => 'blue')).rejects.toThrow(
      'signal.tool: expected non-empty text',
    );
  });

  it('[RUN14] refuses a step, or anything else, in the place of a permit', async () => {
    const { breaker } = watched();
    for (const give of [(step: Step) => step, () => ({}), () => true]) {
      const inner = breaker.run(turn('writer'), (step) =>
        breaker.run(call, () => 'blue', { within: give(step) as never }),
      );
      await expect(inner).rejects.toMatchObject({ code: 'INVALID_OPTION', option: 'within' });
    }
  });

  it('[RUN8] reports no failure of a step in which another one was refused', async () => {
    const { breaker, seen } = watched();
    const outer = breaker.run(call, () => {
      breaker.stop('enough');
      return breaker.run(code, () => ({ exitCode: 0, output: '' }));
    });
    await expect(outer).rejects.toThrow(TrippedError);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([]);
  });
});
