import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, explain, type Step, type Trip } from '../../src/index.ts';
import { modelRequest } from '../support/signals.ts';

const SENTENCE = 'I will check the file once more. ';
const PIECES = 4_000;
const BEFORE = Array.from({ length: 60 }, (_, i) => `Finding ${i} is about ${i * 7}. `).join('');
const request = modelRequest({ agent: 'coder', requestId: 'r', inputTokens: 100 });

/** A call whose answer says the same over and over: how many pieces came, and how it ended. */
async function streamed(
  options: BreakerOptions,
  piece = (i: number): string => (i === 0 ? BEFORE : SENTENCE),
) {
  const breaker = new Breaker({ budget: { maxTokens: 1_000_000 }, ...options });
  const kinds: string[] = [];
  breaker.on('signal', ({ signal }) => kinds.push(signal.kind));
  const found: string[] = [];
  breaker.on('finding', ({ finding }) => found.push(finding.reason));
  let pieces = 0;
  const work = async ({ signal, streamed: come }: Step): Promise<object> => {
    while (pieces < PIECES && !signal.aborted) come(piece(pieces++));
    signal.throwIfAborted();
    return { usage: { inputTokens: 100, outputTokens: 32_000 } };
  };
  const error = await breaker.run(request, work).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { breaker, pieces, error, kinds, found };
}

describe('an answer that has come to repeat itself', () => {
  it('[REP17] is cut off, with what was repeated as evidence', async () => {
    const { breaker, pieces, error } = await streamed({});
    expect(pieces).toBeLessThan(300);
    expect(error).toMatchObject({
      code: 'TRIPPED',
      trip: {
        kind: 'repetition',
        basis: 'certain',
        agents: ['coder'],
        evidence: { count: expect.any(Number), limit: 20, signals: [{ kind: 'usage' }] },
      },
    });
    const { trip } = breaker.conversation('');
    expect(trip?.reason).toMatch(/^coder repeated the same text \d+ times in one answer/);
    expect(trip?.evidence.signals[0]?.excerpt).toBe(SENTENCE.trim());
    expect(explain(trip as NonNullable<typeof trip>)).toContain('repetition.maxSelfRepetitions');
  });

  it('[REP17] is booked as far as it came, once', async () => {
    const { breaker, kinds, pieces } = await streamed({});
    expect(kinds).toEqual(['model-request', 'usage']);
    const seen = 100 + Math.ceil((BEFORE.length + (pieces - 1) * SENTENCE.length) / 4);
    expect(breaker.cost).toMatchObject({ isEstimate: true });
    expect(breaker.cost.tokens).toBeGreaterThanOrEqual(seen - 10);
    expect(breaker.cost.tokens).toBeLessThanOrEqual(1.1 * seen + 10);
  });

  it('[REP17] has what the call took, as far as it is booked, as the cost of its trip', async () => {
    const prices = { m: { inputUsdPerMillion: 1, outputUsdPerMillion: 4 } };
    const { breaker } = await streamed({ prices });
    const { evidence } = breaker.conversation('').trip ?? {};
    expect(evidence?.cost.nanoUsd).toBeGreaterThan(4_000_000);
    expect(evidence?.cost).toEqual(breaker.cost);
    expect(explain(breaker.conversation('').trip as Trip)).toMatch(/spent +about \$0\.0\d/);
  });

  it('[REP17] passes where each time says something else', async () => {
    const { pieces, error, found } = await streamed({}, (i) => `I will check the file ${i}. `);
    expect([pieces, error, found]).toEqual([PIECES, undefined, []]);
  });

  it.each<[string, BreakerOptions]>([
    ['is only observed', { reaction: 'observe' }],
    ['only warns', { reaction: { repetition: 'warn' } }],
    ['is off', { repetition: false }],
    ['lets streams alone', { repetition: { cutsStreams: false } }],
    ['allows as much', { repetition: { maxSelfRepetitions: 5_000 } }],
  ])('[REP17] passes where repetition %s', async (_, options) => {
    const { pieces, error } = await streamed(options);
    expect([pieces, error]).toEqual([PIECES, undefined]);
  });

  it('[REP17] is cut off at once where the team is told first: nobody hears in the middle of an answer', async () => {
    const { breaker, pieces } = await streamed({ reaction: 'ladder' });
    expect(pieces).toBeLessThan(300);
    expect(breaker.conversation('').state.status).toBe('open');
  });

  it('[REP17] trips again when its recording is played', async () => {
    const { breaker } = await streamed({});
    const usage = { kind: 'usage', at: 1, agent: 'coder', model: 'm' } as const;
    const tokens = { inputTokens: 1, outputTokens: 1 };
    const again = new Breaker().observe({ ...usage, ...tokens, repetitions: 182, repeated: 'x' });
    expect(again?.kind).toBe(breaker.conversation('').trip?.kind);
  });
});
