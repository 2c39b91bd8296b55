import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal, type Trip } from '../../src/index.ts';
import type { Admission, AdmissionRequest } from '../../src/kit.ts';

const agent = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'again', 'DONE', 'count 1', 'count 2', 'error: no such file');
const depth = fc.constantFrom(undefined, 0, 1, 2);
const requestId = fc.constantFrom(undefined, 'r1', 'r2', 'r3');
const place = { at: fc.nat(300), agent };

/** A valid signal of any kind; `at` is how much later than the one before it happens. */
const signal: fc.Arbitrary<Signal> = fc
  .oneof(
    fc.record({ kind: fc.constant('message'), ...place, text, depth }),
    fc.record({
      kind: fc.constant('tool-call'),
      ...place,
      tool: fc.constantFrom('search', 'write'),
      args: fc.constantFrom({}, { page: 1 }, { page: 2 }),
      result: fc.constantFrom(null, 'same', [1, 2]),
    }),
    fc.record({
      kind: fc.constant('tool-call'),
      ...place,
      tool: fc.constant('search'),
      args: fc.constantFrom({ page: 1 }, { page: 2 }),
      error: fc.constantFrom({ message: 'busy', code: '429' }, { message: 'no such page' }),
      executed: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('execution'),
      ...place,
      language: fc.constant('sh'),
      code: fc.constantFrom('ls', 'make'),
      exitCode: fc.constantFrom(0, 1, null),
      output: text,
    }),
    fc.record({
      kind: fc.constant('usage'),
      ...place,
      depth,
      requestId,
      model: fc.constant('m'),
      inputTokens: fc.nat(40),
      outputTokens: fc.nat(10),
      costUsd: fc.constantFrom(0, 0.01, null),
    }),
    fc.record({ kind: fc.constant('handoff'), ...place, to: agent }),
    nested('nested-start').map((start) => ({ ...start, trigger: 'reply:a' })),
    nested('nested-end'),
    fc.record({
      kind: fc.constant('human-input'),
      ...place,
      decision: fc.constantFrom('approve', 'reject', 'timeout'),
      waitedMs: fc.nat(300),
    }),
    fc.record({ kind: fc.constant('selection'), ...place, chosen: agent }),
  )
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Signal);

function nested(kind: 'nested-start' | 'nested-end') {
  const path = fc.constant(['root', 'review']);
  const chatId = fc.constantFrom('c1', 'c2');
  return fc.record({ kind: fc.constant(kind), ...place, chatId, depth: fc.nat(3), path });
}

const request: fc.Arbitrary<AdmissionRequest> = fc
  .oneof(
    fc.record({ kind: fc.constant('turn'), ...place, depth }),
    fc.record({
      kind: fc.constant('model-request'),
      ...place,
      depth,
      requestId,
      model: fc.constant('m'),
      inputTokens: fc.constantFrom(undefined, 5, 60),
      estimatedCostUsd: fc.constantFrom(undefined, 0.02),
    }),
  )
  .map((fields) => JSON.parse(JSON.stringify(fields)) as AdmissionRequest);

type Move =
  | { readonly type: 'observe'; readonly what: Signal }
  | { readonly type: 'admit'; readonly what: AdmissionRequest }
  | { readonly type: 'beginRun' | 'reset' | 'track' };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant('observe' as const), what: signal }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('admit' as const), what: request }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('beginRun', 'reset', 'track') }) },
);

/** Makes moves on one clock and writes down what the breaker answers. A probe is over with the next move. */
class Player {
  now = 0;
  #breaker: Breaker;
  #admission: Admission | undefined;
  readonly #options: BreakerOptions;

  constructor(options: BreakerOptions) {
    this.#options = { ...options, now: () => this.now };
    this.#breaker = new Breaker(this.#options);
  }

  play(one: Move): unknown {
    this.endStep();
    const answer = this.#answer(one);
    return { answer, state: this.#breaker.conversation().state, cost: this.#breaker.cost };
  }

  endStep(): void {
    if (this.#admission?.isAdmitted) this.#admission.permit.release();
    this.#admission = undefined;
  }

  /** Goes on with another breaker that takes over by snapshot. */
  handOver(): void {
    const snapshot = JSON.parse(JSON.stringify(this.#breaker.snapshot()));
    this.#breaker = new Breaker(this.#options);
    this.#breaker.restore(snapshot);
    expect(JSON.parse(JSON.stringify(this.#breaker.snapshot()))).toEqual(snapshot);
  }

  #answer(one: Move): boolean | Trip | undefined {
    switch (one.type) {
      case 'observe':
        this.now += one.what.at;
        return this.#breaker.observe({ ...one.what, at: this.now });
      case 'admit':
        this.now += one.what.at;
        this.#admission = this.#breaker.admit({ ...one.what, at: this.now }) as Admission;
        return this.#admission.isAdmitted || this.#admission.trip;
      case 'track':
        return this.#breaker.trackCost(0.01) as Trip | undefined;
      case 'beginRun':
      case 'reset':
        this.#breaker.conversation()[one.type]();
        return undefined;
    }
  }
}

const OPTIONS: readonly BreakerOptions[] = [
  { cooldownMs: 500 },
  { cooldownMs: 500, maxMessages: 12, maxRunMs: 4000, stopTexts: [{ text: 'DONE', from: ['a'] }] },
  {
    cooldownMs: 500,
    budget: { maxUsd: 0.2, maxTokens: 400 },
    contextWindow: { maxContextTokens: 50 },
  },
  { reaction: 'warn', budget: { maxTokens: 50 }, contextWindow: { maxContextTokens: 50 } },
];

/** Cuts so many runs of moves, under each of several options. */
export function testTakeOver(numRuns: number): void {
  describe('a conversation taken over by another breaker', () => {
    it.each(OPTIONS)('[SNP2] goes on as if uninterrupted, wherever it is cut: %j', (options) => {
      fc.assert(
        fc.property(fc.array(move, { maxLength: 60 }), fc.nat(60), (moves, cut) => {
          const whole = new Player(options);
          const parts = new Player(options);
          moves.forEach((one, index) => {
            if (index === cut % (moves.length + 1)) {
              for (const player of [whole, parts]) player.endStep();
              parts.handOver();
            }
            expect(parts.play(one)).toEqual(whole.play(one));
          });
        }),
        { numRuns },
      );
    });
  });
}
