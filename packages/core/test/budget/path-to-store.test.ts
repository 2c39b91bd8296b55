import { describe, expect, it } from 'vitest';
import { Breaker, MemoryBudgetStore } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

/** A store that keeps our part of the stack with which it was asked. */
class TracingStore extends MemoryBudgetStore {
  reserving: readonly string[] = [];
  settling: readonly string[] = [];

  override reserve(...asked: Parameters<MemoryBudgetStore['reserve']>) {
    this.reserving = ourFrames();
    return super.reserve(...asked);
  }

  override settle(...asked: Parameters<MemoryBudgetStore['settle']>) {
    this.settling = ourFrames();
    return super.settle(...asked);
  }
}

function ourFrames(): readonly string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = '' } = new Error('asked');
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split('\n').filter((line) => line.includes('/core/src/'));
}

describe('the way of a model call to a store', () => {
  const call = modelRequest({ agent: 'critic', inputTokens: 1, estimatedCostUsd: 0.01 });
  const purses = { maxUsd: 1, perAgent: { maxTokens: 5 }, perConversation: { maxTokens: 5 } };

  it.each([{}, { whenFull: 'wait' } as const])(
    '[BUD24] takes six frames from its conversation where nothing waits (%j)',
    async (options) => {
      const store = new TracingStore();
      const breaker = new Breaker({ budget: { ...purses, ...options, store } });
      await breaker.conversation('').admit(call);
      expect(store.reserving.join('\n')).toContain('Conversation.admit');
      expect(store.reserving.length).toBeLessThanOrEqual(6);
      await breaker.admit({ ...call, requestId: 'another' });
      expect(store.reserving.length).toBeLessThanOrEqual(7);
    },
  );

  it('[BUD24] takes ten frames from a step that is run', async () => {
    const store = new TracingStore();
    const breaker = new Breaker({ budget: { ...purses, store } });
    await breaker.run(call, () => ({}));
    expect(store.reserving.join('\n')).toContain('Breaker.run');
    expect(store.reserving.length).toBeLessThanOrEqual(10);
  });

  it('[BUD24] takes eleven frames for its usage', async () => {
    const store = new TracingStore();
    const breaker = new Breaker({ budget: { ...purses, store } });
    await breaker.admit(call);
    breaker.conversation('').observe(usage({ agent: 'critic' }));
    expect(store.settling.join('\n')).toContain('Conversation.observe');
    expect(store.settling.length).toBeLessThanOrEqual(11);
  });
});
