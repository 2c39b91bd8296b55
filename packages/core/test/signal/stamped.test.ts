import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { Breaker, type RequestInput, type Signal, type SignalInput } from '../../src/index.ts';

const SAID: SignalInput = { kind: 'message', agent: 'ann', text: 'hi' };
const ASKED: RequestInput = { kind: 'model-request', agent: 'ann', model: 'm' };

function listening() {
  const clock = new FakeClock(7);
  const breaker = new Breaker({ now: clock.now });
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return { clock, breaker, signals };
}

describe('a signal without a time', () => {
  it('[SIG8] happened when it is observed', () => {
    const { clock, breaker, signals } = listening();
    breaker.observe(SAID);
    clock.advance(3);
    breaker.conversation('other').observe({ ...SAID, at: undefined });
    breaker.observe({ ...SAID, at: 42 });
    expect(signals.map(({ at }) => at)).toEqual([7, 10, 42]);
    expect(SAID.at).toBeUndefined();
  });

  it('[SIG8] of a request is that of the question, and of its outcome that of the end', async () => {
    const { clock, breaker, signals } = listening();
    breaker.admit(ASKED);
    const call = { kind: 'tool-call', agent: 'ann', tool: 'look', args: {} } as const;
    await breaker.run(call, () => clock.advance(5));
    expect(signals.map(({ kind, at }) => [kind, at])).toEqual([
      ['model-request', 7],
      ['tool-call', 12],
    ]);
  });

  it.each([undefined, null, 'text', [SAID], { ...SAID, at: null }, { at: 1 }])(
    '[SIG2] is no help to %j',
    (value) => {
      const { breaker } = listening();
      expect(() => breaker.observe(value as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_SIGNAL' }),
      );
      expect(() => breaker.admit(value as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_SIGNAL' }),
      );
    },
  );
});
