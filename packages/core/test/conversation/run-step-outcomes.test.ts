import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore, type Signal, TrippedError } from '../../src/index.ts';
import type { AdmissionRequest, ReservationResult } from '../../src/kit.ts';
import { heard, sayingDetector } from '../support/judge.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';

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
const handoff = { kind: 'handoff', agent: 'a', at: 0, to: 'b' } as const;

/** When work has ended that takes no time. */
const DONE = { at: 5, durationMs: 0 };

/** A store that is asked over a network. */
class SlowStore extends MemoryBudgetStore {
  override reserve(...request: Parameters<MemoryBudgetStore['reserve']>) {
    return Promise.resolve(super.reserve(...request)) as unknown as ReservationResult;
  }
}

function watched(options = {}): { breaker: Breaker; seen: Signal[] } {
  const breaker = new Breaker({ now: () => 5, ...options });
  const seen: Signal[] = [];
  breaker.on('signal', ({ signal }) => seen.push(signal));
  return { breaker, seen };
}

/** The last signal of a step whose work has this value, or throws it if it is an error. */
async function reported(request: AdmissionRequest, value: unknown): Promise<Signal | undefined> {
  const { breaker, seen } = watched();
  const errors: unknown[] = [];
  breaker.on('error', ({ error }) => errors.push(error));
  const work = async (): Promise<unknown> => {
    if (value instanceof Error) throw value;
    return value;
  };
  await breaker.run(request, work).catch(() => {});
  expect(errors).toEqual([]);
  return seen.at(-1);
}

describe('what a step reports', () => {
  it.each<[string, AdmissionRequest, unknown, Signal]>([
    ['a turn', { ...turn('w'), depth: 2 }, 'Hi', { ...message('w', 'Hi', 5), depth: 2 }],
    ['a call', call, { sum: 3 }, { ...call, ...DONE, result: { sum: 3 } }],
    ['a call without a result', call, undefined, { ...call, ...DONE, result: 'undefined' }],
    [
      'a call that fails',
      call,
      new Error('busy'),
      { ...call, ...DONE, error: { message: 'busy' } },
    ],
    [
      'an execution without its figures',
      code,
      { exitCode: 'none', output: 7 },
      { ...code, ...DONE, exitCode: null, output: '7' },
    ],
    ['an execution of nothing', code, null, { ...code, ...DONE, exitCode: 0, output: '' }],
    [
      'an execution that fails',
      code,
      new RangeError('killed'),
      { ...code, ...DONE, exitCode: null, output: 'killed' },
    ],
    [
      'a model call that costs nothing',
      modelRequest(),
      { usage: { inputTokens: 0, outputTokens: 3, costUsd: 0 } },
      {
        kind: 'usage',
        at: 5,
        agent: 'writer',
        model: 'm',
        inputTokens: 0,
        outputTokens: 3,
        costUsd: 0,
      },
    ],
    [
      'a model call that fails',
      modelRequest({ requestId: 'r' }),
      new Error('down'),
      {
        kind: 'usage',
        at: 5,
        agent: 'writer',
        model: 'm',
        requestId: 'r',
        inputTokens: 0,
        outputTokens: 0,
        costUsd: null,
        error: { message: 'down' },
      },
    ],
    [
      'a nested chat without a text',
      chat,
      { summary: 'none' },
      { kind: 'nested-end', at: 5, agent: 'lead', depth: 1, chatId: 'c1', path: ['lead', 'c1'] },
    ],
    ['a hand-over, which announces itself', handoff, 'Hi', handoff],
  ])('[RUN1] is the outcome of %s', async (_, request, value, signal) => {
    expect(await reported(request, value)).toStrictEqual(signal);
  });

  it.each([
    ['files', 'files'],
    [{ stdout: 'files', stderr: '' }, 'files'],
    [{ output: 'files' }, 'files'],
    [{ files: 2 }, '{"files":2}'],
    [undefined, ''],
  ])('[RUN15] is a success of an execution that tells no exit code: %j', async (value, output) => {
    expect(await reported(code, value)).toEqual({ ...code, ...DONE, exitCode: 0, output });
  });

  it.each(['exitCode', 'exit_code', 'returnCode', 'returncode', 'return_code'])(
    '[RUN15] has the exit code in %s',
    async (name) => {
      const value = { [name]: 1, stdout: 'one', stderr: 'KeyError: two' };
      const output = 'one\nKeyError: two';
      expect(await reported(code, value)).toEqual({ ...code, ...DONE, exitCode: 1, output });
      expect(await reported(code, { [name]: 1 })).toMatchObject({ exitCode: 1, output: '' });
    },
  );

  it('[RUN1] is what a call or an execution took, from its beginning on', async () => {
    let now = 0;
    const { breaker, seen } = watched({ now: () => now });
    const took = async (request: AdmissionRequest, ms: number): Promise<unknown> => {
      await breaker.run(request, async () => {
        now += ms;
      });
      return seen.at(-1);
    };
    now = 100;
    expect(await took(call, 40)).toMatchObject({ at: 140, durationMs: 40 });
    expect(await took(code, -10)).toMatchObject({ at: 130, durationMs: 0 });
  });

  it.each([
    ['a turn without a text', { text: 'Hi' }],
    ['a turn that fails', new Error('busy')],
  ])('[RUN1] is nothing of %s', async (_, value) => {
    expect(await reported(turn('writer'), value)).toBeUndefined();
  });

  it.each([
    [Object.assign(new Error('busy'), { code: 'E1' }), { message: 'busy', code: 'E1' }],
    [Object.assign(new TypeError('busy'), { code: 7 }), { message: 'busy', code: 'TypeError' }],
    ['plain text', { message: 'plain text' }],
    [{ status: 503 }, { message: '{"status":503}', status: 503 }],
    [
      { name: 'Odd', reason: 'why' },
      { message: '{"name":"Odd","reason":"why"}', code: 'Odd' },
    ],
    [null, { message: 'null' }],
    [undefined, { message: 'undefined' }],
  ])(
    '[RUN2] is the message of what was thrown, and its code or name: %o',
    async (thrown, error) => {
      const { breaker, seen } = watched();
      await breaker.run(call, () => Promise.reject(thrown)).catch(() => {});
      expect(seen).toMatchObject([{ error }]);
      expect(seen[0]).toHaveProperty('error', error);
    },
  );

  it('[RUN2] is what work throws before it returns a promise, too', async () => {
    const { breaker, seen } = watched();
    const error = new Error('busy');
    const work = (): never => {
      throw error;
    };
    await expect(breaker.run(call, work)).rejects.toBe(error);
    expect(seen).toMatchObject([{ error: { message: 'busy' } }]);
  });

  it('[RUN8] is the usage of a model call in which a step was refused, to settle it', async () => {
    const { breaker, seen } = watched({ budget: { maxTokens: 10 } });
    const refused = new TrippedError(breaker.stop());
    breaker.reset();
    const work = (): Promise<never> => Promise.reject(refused);
    await expect(breaker.run(modelRequest({ inputTokens: 9 }), work)).rejects.toBe(refused);
    expect(seen.map(({ kind }) => kind)).toEqual(['model-request', 'usage']);
    const next = modelRequest({ requestId: 'next', inputTokens: 9 });
    expect(breaker.admit(next)).toMatchObject({ isAdmitted: true });
  });

  it('[RUN7] is nothing where its own report gives nothing', async () => {
    const { breaker, seen } = watched();
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    await expect(breaker.run(call, () => 3, { report: () => undefined })).resolves.toBe(3);
    expect([seen, errors]).toEqual([[], []]);
  });

  it('[RUN7] is an error of the conversation where its own report throws', async () => {
    const { breaker } = watched();
    const errors: unknown[] = [];
    breaker.on('error', (payload) => errors.push(payload));
    const error = new Error('no report');
    const report = (): never => {
      throw error;
    };
    await expect(breaker.conversation('a').run(call, () => 3, { report })).resolves.toBe(3);
    expect(errors).toEqual([{ error, during: 'signal', conversation: 'a' }]);
  });
});

describe('a step that ends early', () => {
  it('[RUN3] is given the trip by which it was refused, and may answer later', async () => {
    const { breaker } = watched();
    const trip = breaker.stop('enough');
    const fallback = async ({ reason }: { readonly reason: string }): Promise<string> => reason;
    await expect(breaker.run(call, () => '', { fallback })).resolves.toBe('enough');
    await expect(breaker.run(call, () => '')).rejects.toMatchObject({ trip });
  });

  it('[RUN4] gives its fallback when the circuit opens', async () => {
    const { breaker } = watched();
    const hung = breaker.run(call, () => new Promise<string>(() => {}), {
      fallback: ({ reason }) => reason,
    });
    await Promise.resolve();
    breaker.stop('enough');
    await expect(hung).resolves.toBe('enough');
  });

  it('[RUN4] stops waiting for work that has stopped the team itself', async () => {
    const { breaker } = watched();
    const work = (): Promise<string> => {
      breaker.stop('enough');
      return new Promise(() => {});
    };
    const fallback = ({ reason }: { readonly reason: string }): string => reason;
    await expect(breaker.run(call, work, { fallback })).resolves.toBe('enough');
  });

  it('[RUN4] hands on what has ended, though its own report opens the circuit', async () => {
    const { breaker } = watched({ detectors: [() => sayingDetector()] });
    const work = async (): Promise<string> => 'done';
    const options = { report: () => message('a', 'trip'), fallback: () => 'stopped' };
    await expect(breaker.run(turn('a'), work, options)).resolves.toBe('done');
    await expect(breaker.run(turn('a'), work, options)).resolves.toBe('stopped');
  });

  it('[RUN5] does not begin once the team is stopped or the caller has given up', async () => {
    const { breaker } = watched({ budget: { maxUsd: 1, store: new SlowStore() } });
    const paid = { ...modelRequest(), estimatedCostUsd: 1 };
    let ran = 0;
    const work = (): number => ++ran;
    const controller = new AbortController();
    const cancelled = breaker.run(paid, work, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(cancelled).rejects.toThrow('gone');
    expect(breaker.conversation().trip).toBeUndefined();
    const stopped = breaker.run(paid, work);
    breaker.stop('enough');
    await expect(stopped).rejects.toThrow('enough');
    expect(ran).toBe(0);
    breaker.reset();
    await expect(breaker.run(paid, work)).resolves.toBe(1);
  });

  it('[RUN5] holds nothing for a call that was granted as its conversation was stopped', async () => {
    const store = new SlowStore();
    const breaker = new Breaker({ budget: { maxUsd: 1, store } });
    let hasBegun = false;
    const running = breaker.run(modelRequest({ estimatedCostUsd: 0.3 }), () => {
      hasBegun = true;
    });
    expect(store.totals().reserved.nanoUsd).toBe(0.3e9);
    breaker.stop();
    await expect(running).rejects.toThrow(TrippedError);
    expect(hasBegun).toBe(false);
    expect(store.totals().reserved.nanoUsd).toBe(0);
  });

  it('[RUN5] begins calls that wait as soon as both are granted', async () => {
    const store = new MemoryBudgetStore();
    const breaker = new Breaker({ budget: { maxUsd: 1.2, whenFull: 'wait', store } });
    const work: string[] = [];
    const call = (requestId: string, estimatedCostUsd: number) =>
      breaker.run(modelRequest({ requestId, estimatedCostUsd }), () => {
        work.push(requestId);
        return new Promise<never>(() => {});
      });
    breaker.conversation('other').admit(modelRequest({ requestId: 'first', estimatedCostUsd: 1 }));
    void call('small', 0.3);
    void call('large', 0.8);
    await settled();
    breaker.conversation('other').observe(usage({ requestId: 'first', costUsd: 0.05 }));
    await settled();
    expect(work).toEqual(['small', 'large']);
    expect(store.totals().reserved.nanoUsd).toBe(1.1e9);
  });

  it('[RUN5] throws the reason of the caller, though there is a fallback', async () => {
    const { breaker } = watched();
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const hung = breaker.run(
      call,
      (step) => {
        signal = step.signal;
        return new Promise<number>(() => {});
      },
      { signal: controller.signal, fallback: () => 0 },
    );
    await Promise.resolve();
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(hung).rejects.toBe(reason);
    expect(signal?.reason).toBe(reason);
  });

  it('[RUN5] asks for nothing when the caller has gone before', async () => {
    const { breaker, seen } = watched();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(breaker.run(modelRequest(), () => 1, { signal })).rejects.toThrow('gone');
    expect(seen).toEqual([]);
  });

  it('[RUN5] leaves no listeners on a signal that the caller keeps', async () => {
    const { breaker } = watched();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      if (args[0] === 'abort') listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
      if (args[0] === 'abort') listeners--;
      remove(...args);
    };
    for (let i = 0; i < 3; i++) await breaker.run(call, () => i, { signal });
    expect(listeners).toBe(0);
  });

  it('[RUN4] keeps its signal quiet once it has ended', async () => {
    const { breaker } = watched();
    let signal: AbortSignal | undefined;
    await breaker.run(call, (step) => {
      signal = step.signal;
    });
    breaker.stop();
    expect(signal?.aborted).toBe(false);
  });

  it('[RUN6] fails the probe that it was when it brought nothing new', async () => {
    let now = 0;
    const detectors = [() => sayingDetector()];
    const breaker = new Breaker({ cooldownMs: 10, now: () => now, detectors });
    breaker.observe(message('a', 'trip'));
    now = 10;
    await breaker.run({ ...turn('a'), at: now }, () => undefined);
    await heard();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });
});
