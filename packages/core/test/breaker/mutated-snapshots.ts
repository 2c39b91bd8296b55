import { generateSignals } from '@teamfuse/testing';
import { expect } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { SNAPSHOT_VERSION } from '../../src/breaker/breaker-snapshot.ts';
import { Breaker, type BreakerOptions, explain, InvalidSnapshotError } from '../../src/index.ts';
import type { JsonValue } from '../../src/kit.ts';
import { modelRequest, turn } from '../support/signals.ts';

const OPTIONS: BreakerOptions = {
  budget: { maxUsd: 1000, maxTokens: 1_000_000, windowMs: 1e9, perAgent: { maxTokens: 500_000 } },
  contextWindow: { maxContextTokens: 100_000 },
  maxMessages: 5000,
  maxRunMs: 1e12,
  speakerCycle: { samePair: { times: 1000 } },
  judge: () => 0.1,
  rate: { rates: [{ signal: 'message', max: 1000, perMs: 10 }] },
  analysis: { tools: { jobStatus: { polls: { maxWaitMs: 1000 } } } },
  now: () => 5000,
};

const HOSTILE: readonly JsonValue[] = [
  null,
  true,
  -1,
  0,
  0.5,
  -0.5,
  1,
  7,
  1e15,
  -1e15,
  2 ** 52,
  Number.MAX_SAFE_INTEGER,
  1e308,
  -1e308,
  5e-324,
  '',
  'closed',
  'half-open',
  'toString',
  '__proto__',
  'a'.repeat(3000),
  [],
  [null],
  [[]],
  [-1],
  [1e308],
  ['a', 'a'],
  {},
  { a: 1 },
  { length: 5 },
];

/** States in which as much as possible is kept: while all goes well, after a trip, and during a probe. */
function snapshots(): JsonValue[] {
  return [1, 2, 3].map((seed) => {
    const breaker = new Breaker({ ...OPTIONS, ...(seed === 3 && { cooldownMs: 0 }) });
    for (const chat of ['', 'chat']) {
      const conversation = breaker.conversation(chat);
      for (const signal of generateSignals(seed, 30)) conversation.observe(signal);
      conversation.admit(modelRequest({ requestId: 'open', inputTokens: 7, estimatedCostUsd: 1 }));
      if (seed === 2) conversation.stop('enough');
      if (seed === 3) conversation.admit(turn('a', 9e9));
    }
    return JSON.parse(JSON.stringify(breaker.snapshot()));
  });
}

/** A copy in which one part, somewhere, is another one, or gone. */
function mutate(random: SeededRandom, json: JsonValue): JsonValue {
  const isLeaf = typeof json !== 'object' || json === null || Object.keys(json).length === 0;
  if (isLeaf || random.oneIn(12)) return random.pick(HOSTILE);
  const key = random.pick(Object.keys(json));
  if (Array.isArray(json)) {
    const at = Number(key);
    if (random.oneIn(8)) return [...json, ...json, ...json];
    const kept = random.oneIn(8) ? [] : [mutate(random, json[at] as JsonValue)];
    return [...json.slice(0, at), ...kept, ...json.slice(at + 1)];
  }
  const { [key]: part, ...others } = json as Record<string, JsonValue>;
  return random.oneIn(8) ? others : { ...json, [key]: mutate(random, part as JsonValue) };
}

const SIGNALS = generateSignals(9, 5);

/** Everything that is done with a breaker after it was restored. */
function use(breaker: Breaker): void {
  for (const chat of ['', 'chat']) {
    const conversation = breaker.conversation(chat);
    if (conversation.trip !== undefined) expect(explain(conversation.trip)).toContain('who');
    for (const signal of SIGNALS) conversation.observe(signal);
    conversation.admit(modelRequest({ at: 9e9, inputTokens: 3 }));
    conversation.admit(turn('b', 9e9));
    expect(explain(conversation.stop('enough'))).toContain('who');
  }
  expect(breaker.cost.nanoUsd).toBeGreaterThanOrEqual(0);
  const again = JSON.parse(JSON.stringify(breaker.snapshot()));
  const other = new Breaker(OPTIONS);
  other.restore(again);
  expect(JSON.parse(JSON.stringify(other.snapshot())).version).toBe(SNAPSHOT_VERSION);
  breaker.reset();
}

/** Restores so many snapshots, each of which was changed somewhere: it is refused by type, or makes a breaker that works. */
export function restoreMutated(runs: number): void {
  const originals = snapshots();
  let refused = 0;
  for (let seed = 0; seed < runs; seed++) {
    const random = new SeededRandom(seed);
    const mutated = mutate(random, random.pick(originals));
    const breaker = new Breaker(OPTIONS);
    try {
      breaker.restore(mutated);
    } catch (error) {
      if (!(error instanceof InvalidSnapshotError)) {
        throw new Error(`seed ${seed}: not refused by type`, { cause: error });
      }
      refused++;
      continue;
    }
    try {
      use(breaker);
    } catch (error) {
      throw new Error(`seed ${seed}: restored, and then failed`, { cause: error });
    }
  }
  // Both ends are reached, or this says nothing.
  expect(refused).toBeGreaterThan(runs / 4);
  expect(runs - refused).toBeGreaterThan(runs / 20);
}
