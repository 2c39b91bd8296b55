import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { GuardContext } from '../../src/index.ts';
import { callTool, runCode } from '../support/steps.ts';

const CALL = { tool: 'read', args: { at: 7 } };
const BLOCK = { language: 'python', code: 'read(7)' };

/** The last signal that a breaker takes in while something fails. */
async function told(fail: (breaker: Breaker) => Promise<unknown>): Promise<Signal | undefined> {
  const breaker = new Breaker({ now: () => 5 });
  let last: Signal | undefined;
  breaker.on('signal', ({ signal }) => {
    last = signal;
  });
  await expect(fail(breaker)).rejects.toBeDefined();
  return last;
}

describe('an error in a signal', () => {
  const { proxy: revoked, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();

  it.each<[string, unknown, object]>([
    ['a type error', new TypeError('x is no list'), { message: 'x is no list', code: 'TypeError' }],
    ['a plain error', new Error('busy'), { message: 'busy' }],
    [
      'a code',
      Object.assign(new Error('slow'), { code: '429' }),
      { message: 'slow', code: '429', status: 429 },
    ],
    ['a text', 'no luck', { message: 'no luck' }],
    ['an object', { status: 503 }, { message: '{"status":503}', status: 503 }],
    ['what cannot be read', revoked, { message: 'an error that cannot be read' }],
  ])('[KIT28] is the same by a guard and by the breaker itself: %s', async (_, thrown, error) => {
    const work = () => Promise.reject(thrown);
    const request = { kind: 'tool-call', agent: 'ann', at: 5, ...CALL } as const;
    const byBreaker = await told((breaker) => breaker.run(request, work));
    const byGuard = await told((breaker) =>
      callTool(new GuardContext(breaker), { agent: 'ann', ...CALL, work }),
    );
    expect(byBreaker).toStrictEqual({ ...request, durationMs: 0, error });
    expect(byGuard).toStrictEqual(byBreaker);
  });

  it('[KIT28] is the same output of code by a guard and by the breaker itself', async () => {
    const work = () => Promise.reject(new RangeError('killed'));
    const request = { kind: 'execution', agent: 'ann', at: 5, ...BLOCK } as const;
    const byBreaker = await told((breaker) => breaker.run(request, work));
    const resultOf = () => ({ exitCode: 0, output: '' });
    const byGuard = await told((breaker) =>
      runCode(new GuardContext(breaker), { agent: 'ann', block: BLOCK, work, resultOf }),
    );
    expect(byGuard).toStrictEqual(byBreaker);
  });
});
