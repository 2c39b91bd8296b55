import { describe, expect, it } from 'vitest';
import { Breaker, InvalidSnapshotError } from '../../src/index.ts';
import type { JsonValue, MessageSignal } from '../../src/kit.ts';
import type { ConversationSnapshot } from '../../src/sharing.ts';
import { judged, sayingDetector } from '../support/judge.ts';
import { aTrip, mainOf, message, turn, usage, withMain } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

type Part = keyof ConversationSnapshot;

const trip = aTrip();
const open = { status: 'open', trip, openedAt: 0, probeFrom: 1, openings: 1 };
const halfOpen = { status: 'half-open', trip, probeId: 1, probeUntil: 1, openings: 1 };
const stopped = { status: 'stopped', trip };
const ref = { index: 0, kind: 'message', agent: 'a', at: 0, excerpt: 'x' };

function without(fields: object, name: string): object {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}

/** An error as text: the field, what was expected there, and what came. */
function refusal(snapshot: unknown, breaker = new Breaker()): string {
  try {
    breaker.restore(snapshot);
  } catch (error) {
    if (error instanceof InvalidSnapshotError) return error.message;
    throw error;
  }
  return 'restored';
}

function withPart(part: Part, value: unknown): unknown {
  return withMain(new Breaker().snapshot(), (main) => ({ ...main, [part]: value }));
}

describe('a snapshot that cannot be restored', () => {
  it.each([
    [undefined, 'snapshot: expected an object, received nothing'],
    [null, 'snapshot: expected an object, received null'],
    [[], 'snapshot: expected an object, received an array of 0'],
    [{}, 'snapshot.version: expected version 6, received nothing'],
    [{ version: 2 }, 'snapshot.version: expected version 6, received 2'],
    [{ version: 3 }, 'snapshot.version: expected version 6, received 3'],
    [{ version: 4 }, 'snapshot.version: expected version 6, received 4'],
    [{ version: 5 }, 'snapshot.version: expected version 6, received 5'],
    [{ version: 6, spend: [] }, 'snapshot.spend: expected an object, received an array of 0'],
    [
      { version: 6, spend: {}, conversations: null },
      'snapshot.conversations: expected an object, received null',
    ],
    [
      { ...new Breaker().snapshot(), conversations: {} },
      'snapshot.conversation: expected an object, received nothing',
    ],
  ])('[SNP5] is refused with what was expected and what came: %j', (snapshot, text) => {
    expect(refusal(snapshot)).toBe(text);
  });

  it.each<[Part, unknown, string]>([
    ['nextIndex', -1, 'nextIndex: expected a whole number of at least 0, received -1'],
    ['nextIndex', 0.5, 'nextIndex: expected a whole number of at least 0, received 0.5'],
    ['nextIndex', '1', 'nextIndex: expected a whole number of at least 0, received "1"'],
    ['circuit', null, 'circuit: expected an object, received null'],
    ['circuit', {}, 'circuit.status: expected closed, open, half-open, stopped, received nothing'],
    [
      'circuit',
      { status: 7 },
      'circuit.status: expected closed, open, half-open, stopped, received 7',
    ],
    [
      'circuit',
      without(open, 'openedAt'),
      'circuit.openedAt: expected a point in time in milliseconds, received nothing',
    ],
    [
      'circuit',
      without(open, 'probeFrom'),
      'circuit.probeFrom: expected a point in time in milliseconds, received nothing',
    ],
    [
      'circuit',
      without(open, 'openings'),
      'circuit.openings: expected a whole number of at least 0, received nothing',
    ],
    [
      'circuit',
      without(halfOpen, 'probeId'),
      'circuit.probeId: expected a whole number of at least 0, received nothing',
    ],
    [
      'circuit',
      without(halfOpen, 'probeUntil'),
      'circuit.probeUntil: expected a point in time in milliseconds, received nothing',
    ],
    [
      'circuit',
      without(halfOpen, 'openings'),
      'circuit.openings: expected a whole number of at least 0, received nothing',
    ],
    [
      'circuit',
      { ...open, openings: '1' },
      'circuit.openings: expected a whole number of at least 0, received "1"',
    ],
    ['circuit', without(stopped, 'trip'), 'circuit.trip: expected an object, received nothing'],
    [
      'circuit',
      { ...stopped, trip: { ...trip, kind: 1 } },
      'circuit.trip.kind: expected text, received 1',
    ],
    [
      'circuit',
      { ...stopped, trip: { ...trip, basis: 'guessed' } },
      'circuit.trip.basis: expected certain, declared, judged, suspected, received "guessed"',
    ],
    [
      'circuit',
      { ...stopped, trip: without(trip, 'reason') },
      'circuit.trip.reason: expected text, received nothing',
    ],
    [
      'circuit',
      { ...stopped, trip: { ...trip, agents: [1] } },
      'circuit.trip.agents[0]: expected text, received 1',
    ],
    [
      'circuit',
      { ...stopped, trip: { ...trip, agents: ['a', 1] } },
      'circuit.trip.agents[1]: expected text, received 1',
    ],
    [
      'circuit',
      { ...stopped, trip: { ...trip, evidence: null } },
      'circuit.trip.evidence: expected an object, received null',
    ],
    ['detectors', [], 'detectors: expected an object, received an array of 0'],
    ['warned', 'limit', 'warned: expected an array of kinds, received "limit"'],
    ['warned', [1], 'warned[0]: expected text, received 1'],
    ['analysis', undefined, 'analysis: expected a state, received nothing'],
    ['spend', undefined, 'spend: expected a state, received nothing'],
    ['recent', undefined, 'recent: expected a state, received nothing'],
    ['judge', undefined, 'judge: expected a state, received nothing'],
    ['recent', {}, 'recent: expected an array of quoted signals, received a value of type object'],
  ])('[SNP5] names what is wrong with %s: %j', (part, value, text) => {
    expect(refusal(withPart(part, value))).toBe(`snapshot.${text}`);
  });

  const evidence = { ...trip.evidence, indices: [0], signals: [ref] };
  it.each<[object, string]>([
    [{ kind: 'toString' }, 'kind: expected a kind of finding, received "toString"'],
    [{ at: '0' }, 'at: expected a finite number, received "0"'],
    [{ index: 2 ** 52 }, 'index: expected a whole number of at least 0, received 4503599627370496'],
    [{ conversation: null }, 'conversation: expected text, received null'],
    [
      { evidence: {} },
      'evidence.agents: expected an array of at most 100000 items, received nothing',
    ],
    [
      { evidence: { ...evidence, indices: [0.5] } },
      'evidence.indices[0]: expected a whole number of at least 0, received 0.5',
    ],
    [
      { evidence: { ...evidence, count: null } },
      'evidence.count: expected a finite number, received null',
    ],
    [
      { evidence: { ...evidence, period: 'x' } },
      'evidence.period: expected a finite number, received "x"',
    ],
    [{ evidence: { ...evidence, subject: 5 } }, 'evidence.subject: expected text, received 5'],
    [
      { evidence: { ...evidence, signals: {} } },
      'evidence.signals: expected an array of quoted signals, received a value of type object',
    ],
    [
      { evidence: { ...evidence, signals: [{ ...ref, agent: 5 }] } },
      'evidence.signals[0].agent: expected text, received 5',
    ],
    [
      { evidence: { ...evidence, cost: { nanoUsd: -1 } } },
      'evidence.cost.nanoUsd: expected a whole number of at least 0, received -1',
    ],
  ])(
    '[SNP6] names what is wrong with a trip, so that none can be handed on that cannot be explained: %j',
    (fields, text) => {
      const circuit = { ...stopped, trip: { ...trip, evidence, ...fields } };
      expect(refusal(withPart('circuit', circuit))).toBe(`snapshot.circuit.trip.${text}`);
    },
  );

  it.each<[string, unknown, string]>([
    ['a negative spend', -1, 'a whole number of at least 0, received -1'],
    ['a spend beyond all numbers', 1e308, 'a whole number of at least 0, received 1e+308'],
  ])('[SNP6] is refused with %s', (_, nanoUsd, text) => {
    const snapshot = new Breaker().snapshot();
    const spend = Object(snapshot.spend);
    const total = { ...spend.total, nanoUsd };
    expect(refusal({ ...snapshot, spend: { ...spend, total } })).toBe(
      `snapshot.spend.total.nanoUsd: expected ${text}`,
    );
    const memory = { ...spend.memory, spent: { nanoUsd, tokens: 0 } };
    expect(refusal({ ...snapshot, spend: { ...spend, memory } })).toContain(
      'snapshot.budget.spent',
    );
  });

  it.each<[string, unknown, string]>([
    ['is huge', 'x'.repeat(2 ** 20 + 1), 'expected at most 1048576 characters'],
    ['JSON does not have', Number.POSITIVE_INFINITY, 'expected a finite number'],
    ['is no data', () => {}, 'expected JSON'],
    [
      'is read by a getter',
      {
        get x(): never {
          throw new Error('read');
        },
      },
      'expected JSON',
    ],
    ['is too deep', JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`), 'expected at most 64 levels'],
  ])('[SNP6] is refused where a part %s, naming it', (_, part, text) => {
    const refused = refusal(withPart('judge', { task: part }));
    expect(refused).toContain('snapshot.conversations..judge.task');
    expect(refused).toContain(text);
  });

  it.each<[object, string]>([
    [{ waitedMs: -1 }, 'waitedMs: expected milliseconds from 0 to 8640000000000000, received -1'],
    [
      { waitedMs: 1e16 },
      'waitedMs: expected milliseconds from 0 to 8640000000000000, received 10000000000000000',
    ],
    [{ startedAt: null }, 'waitedMs: expected 0 in a run that has not started, received 3'],
  ])('[SNP6] is refused where a wait would lift the limit of run time: %j', (fields, text) => {
    const started = { startedAt: 5, waitedMs: 3 };
    const breaker = new Breaker({ maxRunMs: 1000 });
    const changed = withMain(breaker.snapshot(), (main) => ({
      ...main,
      detectors: {
        ...main.detectors,
        limit: { ...Object(main.detectors.limit), ...started, ...fields },
      },
    }));
    expect(refusal(changed, breaker)).toBe(`snapshot.limit.${text}`);
  });

  it('[SNP6] is refused where it goes round in circles', () => {
    const judge: Record<string, unknown> = {};
    judge.task = judge;
    expect(refusal(withPart('judge', judge))).toContain('expected at most 64 levels');
  });

  it('[SNP6] is refused by type also where a detector of the user throws', () => {
    const create = () => ({
      ...sayingDetector(),
      kind: 'custom:said' as const,
      restore: (): never => {
        throw new TypeError('cannot read');
      },
    });
    const make = () => new Breaker({ detectors: [create as never] });
    expect(refusal(make().snapshot(), make())).toContain(
      'snapshot.detectors.custom:said: expected a state its detector accepts',
    );
  });

  it('[SNP5] names the detector that the breaker lacks', () => {
    const plain = new Breaker();
    const own = new Breaker({ detectors: [() => sayingDetector()] });
    const [known] = [Object.keys(mainOf(plain.snapshot()).detectors).join(', ')];
    expect(refusal(own.snapshot(), plain)).toBe(
      `snapshot.detectors: expected only ${known}, received "custom:said"`,
    );
  });

  it.each([
    null,
    { ...ref, index: 0.5 },
    { ...ref, index: -1 },
    { ...ref, kind: 1 },
    { ...ref, agent: null },
    { ...ref, at: '0' },
    { ...ref, excerpt: 5 },
  ])('[SNP5] is refused when a quoted signal is malformed: %j', (wrong) => {
    const text = 'snapshot.recent: expected an array of quoted signals, received an array of 2';
    expect(refusal(withPart('recent', [ref, wrong]))).toBe(text);
  });

  it.each<[Part, JsonValue]>([
    ['analysis', {}],
    ['detectors', { limit: 5 }],
    ['spend', {}],
    ['recent', [5]],
    ['judge', {}],
  ])('[SNP5] changes nothing of the conversation when its %s is wrong', (part, wrong) => {
    const { breaker } = judged({ budget: { maxTokens: 1000 }, maxMessages: 9 });
    const other = judged({ budget: { maxTokens: 1000 }, maxMessages: 9 }).breaker;
    breaker.observe(message('a', 'one', 1));
    breaker.observe(usage());
    other.observe(message('b', 'another', 2));
    const before = breaker.snapshot();
    const broken = withMain(other.snapshot(), (main) => ({
      ...main,
      [part]: part === 'detectors' ? { ...main.detectors, ...(wrong as object) } : wrong,
    }));
    expect(() => breaker.restore(broken)).toThrow(InvalidSnapshotError);
    expect(breaker.snapshot()).toEqual(before);
  });

  it('[SNP5] changes no conversation when that of another one is wrong', () => {
    const breaker = new Breaker();
    breaker.conversation('a').observe(message('a', 'one'));
    const before = breaker.snapshot();
    const good = mainOf(new Breaker().snapshot());
    const conversations = { '': good, b: { ...good, nextIndex: -1 } };
    expect(() => breaker.restore({ ...before, conversations })).toThrow(InvalidSnapshotError);
    expect(breaker.snapshot()).toEqual(before);
  });
});

describe('a snapshot that can be restored', () => {
  it.each([{ status: 'closed' }, open, stopped, { status: 'closed', trip: 5 }])(
    '[SNP4] brings its circuit: %j',
    (circuit) => {
      const breaker = new Breaker();
      breaker.restore(withPart('circuit', circuit));
      expect(breaker.conversation().state).toEqual(circuit);
      expect(breaker.conversation().trip).toBe(circuit.status === 'closed' ? undefined : trip);
    },
  );

  it('[SNP2] goes on to count signals, and quotes those from before', () => {
    const first = new Breaker({ detectors: [() => sayingDetector()] });
    for (const at of [0, 1]) first.observe(message('a', `row ${at}`, at));
    const second = new Breaker({ detectors: [() => sayingDetector()] });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.stop().index).toBe(2);
    expect(mainOf(second.snapshot()).recent).toEqual([
      { index: 0, kind: 'message', agent: 'a', at: 0, excerpt: 'row 0' },
      { index: 1, kind: 'message', agent: 'a', at: 1, excerpt: 'row 1' },
    ]);
  });

  it('[SNP2] has trips quote the signals from before it', () => {
    const said = (at: number): MessageSignal => message('a', 'I will look into it now.', at);
    const first = new Breaker();
    for (const at of [0, 1]) first.observe(said(at));
    const second = new Breaker();
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const quoted = second.observe(said(2))?.evidence.signals;
    expect(quoted?.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('[SNP2] replaces the signals that were quoted before, with excerpts off as well', () => {
    const breaker = new Breaker({ excerpts: false });
    const snapshot = breaker.snapshot();
    breaker.observe(message('a', 'one'));
    const after = breaker.snapshot();
    breaker.restore(snapshot);
    expect(mainOf(breaker.snapshot()).recent).toEqual([]);
    breaker.restore(after);
    expect(mainOf(breaker.snapshot()).recent).toEqual([
      { index: 0, kind: 'message', agent: 'a', at: 0 },
    ]);
  });

  it('[SNP2] brings the warnings that were given, in place of those of the breaker', () => {
    const options = { detectors: [() => sayingDetector()], reaction: 'warn' } as const;
    const first = new Breaker(options);
    const fresh = first.snapshot();
    first.observe(message('a', 'trip'));
    const second = new Breaker(options);
    const warnings = warningsOf(second);
    second.restore(first.snapshot());
    second.observe(message('a', 'trip', 1));
    expect(warnings).toHaveLength(0);
    second.restore(fresh);
    second.observe(message('a', 'trip', 2));
    expect(warnings).toHaveLength(1);
  });

  it('[JDG12] counts the questions of a judge on, or from 0 where it comes from a breaker without one', () => {
    const first = judged();
    first.stall();
    const second = judged();
    second.breaker.restore(JSON.parse(JSON.stringify(first.breaker.snapshot())));
    expect(second.breaker.judged.questions).toBe(1);
    const plain = new Breaker({ detectors: [() => sayingDetector()] });
    second.breaker.restore(plain.snapshot());
    expect(second.breaker.judged.questions).toBe(0);
    expect(() => plain.restore(first.breaker.snapshot())).not.toThrow();
  });

  it('[CNV5] brings conversations of which each goes on with its own', () => {
    const first = new Breaker({ maxMessages: 2 });
    first.conversation('a').observe(message('a', 'one'));
    first.conversation('b').stop('enough');
    const second = new Breaker({ maxMessages: 2 });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.conversation('b').admit(turn('a'))).toMatchObject({ isAdmitted: false });
    expect(second.conversation('a').observe(message('a', 'two'))).toMatchObject({
      conversation: 'a',
      index: 1,
    });
  });
});
