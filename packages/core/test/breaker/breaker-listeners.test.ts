import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { mainOf, message, modelRequest, turn } from '../support/signals.ts';

describe('listeners that call the breaker', () => {
  it('[BRK19] hear of a signal once every detector has seen it', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    const seen: string[] = [];
    breaker.on('signal', ({ index }) => {
      seen.push(`first ${index}`);
      if (index === 0) breaker.observe(message('b', 'two'));
    });
    breaker.on('signal', ({ index }) => seen.push(`second ${index}`));
    expect(breaker.observe(message('a', 'one'))).toBeUndefined();
    expect(seen).toEqual(['first 0', 'second 0', 'first 1', 'second 1']);
    expect(breaker.conversation().trip).toMatchObject({ index: 1, agents: ['b'] });
  });

  it('[BRK19] may stop the team when they hear of a call that is refused alone', () => {
    const tools = { search: { maxCalls: 1 } };
    const breaker = new Breaker({ now: () => 0, rate: { refusals: 2 }, limits: { tools } });
    const states: string[] = [];
    breaker.on('finding', () => {
      breaker.stop('enough');
      states.push(breaker.conversation().state.status);
    });
    const call = { kind: 'tool-call', agent: 'a', tool: 'search', args: {} } as const;
    breaker.observe({ ...call, result: 'found' });
    for (const args of [1, 2]) {
      breaker.observe(modelRequest());
      breaker.admit({ ...call, args });
    }
    expect(states).toEqual(['stopped']);
  });

  it('[BRK19] leave nothing of the conversation behind when they reset it on a trip', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const { nextIndex, circuit, recent, detectors } = mainOf(breaker.snapshot());
    breaker.on('trip', () => breaker.reset());
    expect(breaker.observe(message('a', 'one'))?.kind).toBe('limit');
    const { limit } = detectors;
    expect(mainOf(breaker.snapshot())).toMatchObject({
      nextIndex,
      circuit,
      recent,
      detectors: { limit },
    });
  });

  it('[BRK19] get no second probe by asking when the circuit turns half-open', () => {
    let now = 0;
    const breaker = new Breaker({
      now: () => now,
      cooldownMs: 10,
      contextWindow: { maxContextTokens: 1 },
    });
    breaker.admit(modelRequest({ inputTokens: 2 }));
    now = 10;
    const inner: unknown[] = [];
    breaker.on('state', () => inner.push(breaker.admit(turn('b', now))));
    expect(breaker.admit(turn('a', now))).toMatchObject({ isAdmitted: true });
    expect(inner).toMatchObject([{ isAdmitted: false }]);
  });

  it('[BRK20] keep a call from going out by stopping while it is asked for, and it holds no budget', () => {
    const breaker = new Breaker({ budget: { maxTokens: 10 } });
    const off = breaker.on('signal', () => breaker.stop('not now'));
    expect(breaker.admit(modelRequest({ inputTokens: 10 }))).toMatchObject({
      isAdmitted: false,
      trip: { reason: 'not now' },
    });
    off();
    breaker.reset();
    const next = modelRequest({ requestId: 'next', inputTokens: 10 });
    expect(breaker.admit(next)).toMatchObject({ isAdmitted: true });
  });
});
