import { describe, expect, it } from 'vitest';
import type { Detector } from '../../src/detectors.ts';
import { Breaker, type BreakerOptions } from '../../src/index.ts';
import type { Admission, AdmissionRequest, Permit } from '../../src/kit.ts';
import { sayingDetector } from '../support/judge.ts';
import { message, modelRequest, turn } from '../support/signals.ts';

const COOLDOWN_MS = 1000;
const NEWS = 'The count is 42 in row 7.';

/** Trips with every second message `again`. */
function countingDetector(): Detector {
  let count = 0;
  return {
    ...sayingDetector(),
    kind: 'custom:again',
    observe({ signal, index }) {
      if (signal.kind !== 'message' || signal.text !== 'again' || ++count < 2) return undefined;
      const evidence = { agents: [signal.agent], indices: [index], count, limit: 2 };
      return { level: 'trip', kind: 'custom:again', reason: 'said again', evidence };
    },
    reset() {
      count = 0;
    },
  };
}

/** A breaker whose circuit a message `trip` opens, and a clock. */
function team(options: BreakerOptions = {}) {
  const clock = { now: 0 };
  const breaker = new Breaker({
    cooldownMs: COOLDOWN_MS,
    now: () => clock.now,
    detectors: [() => sayingDetector(), countingDetector],
    ...options,
  });
  const admit = (request: AdmissionRequest, within?: Permit): Admission =>
    breaker.admit({ ...request, at: clock.now }, { within }) as Admission;
  const permitFor = (request: AdmissionRequest, within?: Permit): Permit => {
    const answer = admit(request, within);
    if (!answer.isAdmitted) throw new Error(`refused: ${answer.trip.reason}`);
    return answer.permit;
  };
  const trip = (): void => {
    breaker.observe(message('a', 'trip', clock.now));
    clock.now += COOLDOWN_MS;
  };
  return { breaker, clock, admit, permitFor, trip };
}

describe('a probe', () => {
  it('[CIR2] has a permit that says so, unlike a step that a closed circuit admits', () => {
    const { permitFor, trip } = team();
    expect(permitFor(turn('a')).isProbe).toBe(false);
    trip();
    expect(permitFor(turn('a')).isProbe).toBe(true);
  });

  it('[CIR2] needs no cool-down where none is declared', () => {
    const { breaker, permitFor } = team({ cooldownMs: 0 });
    breaker.observe(message('a', 'trip'));
    expect(permitFor(turn('a')).isProbe).toBe(true);
  });

  it('[BRK6] succeeds by something new from a chat nested in it, whoever says it', () => {
    const { breaker, permitFor, trip } = team();
    trip();
    permitFor({ ...turn('a'), depth: 1 });
    breaker.observe({ ...message('critic', NEWS), depth: 1 });
    expect(breaker.conversation().state.status).toBe('half-open');
    breaker.observe({ ...message('critic', 'We met 19 people in 1987.'), depth: 2 });
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK6] succeeds by something new from its agent, at whatever depth', () => {
    const { breaker, permitFor, trip } = team();
    trip();
    permitFor({ ...turn('a'), depth: 2 });
    breaker.observe(message('a', NEWS));
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK6] goes on while its agent brings nothing new', () => {
    const { breaker, permitFor, trip } = team();
    breaker.observe(message('a', NEWS));
    trip();
    permitFor(turn('a'));
    breaker.observe(message('a', NEWS));
    expect(breaker.conversation().state.status).toBe('half-open');
  });

  it('[BRK6] that trips with something new has failed', () => {
    const { breaker, permitFor, trip } = team({ maxToolCalls: 1, reaction: { limit: 'stop' } });
    trip();
    permitFor(turn('a'));
    const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: {}, result: 'row 99' };
    expect(breaker.observe(call as never)?.kind).toBe('limit');
    expect(breaker.conversation().state.status).toBe('stopped');
  });

  it('[BRK6] lets the detectors start afresh when it succeeds', () => {
    const { breaker, permitFor, trip } = team();
    breaker.observe(message('b', 'again'));
    trip();
    permitFor(turn('a'));
    breaker.observe(message('a', NEWS));
    expect(breaker.observe(message('b', 'again'))).toBeUndefined();
    expect(breaker.observe(message('b', 'again'))?.kind).toBe('custom:again');
  });

  it('[BRK6] lets no detector start afresh while it is under way, whoever brings something new', () => {
    const { breaker, permitFor, trip } = team();
    breaker.observe(message('b', 'again'));
    trip();
    permitFor(turn('a'));
    breaker.observe(message('b', NEWS));
    expect(breaker.observe(message('b', 'again'))?.kind).toBe('custom:again');
  });

  it('[CIR6] that trips by a suspicion opens the circuit for twice as long, with that trip', () => {
    const { breaker, permitFor, trip } = team();
    trip();
    permitFor(turn('a'));
    const again = breaker.observe(message('b', 'trip'));
    expect(breaker.conversation().state).toMatchObject({
      status: 'open',
      trip: again,
      openings: 2,
    });
    expect(again?.agents).toEqual(['b']);
  });

  it('[BRK6] lets limits go on counting when it succeeds', () => {
    const { breaker, permitFor, trip } = team({
      maxMessages: 4,
      speakerCycle: { samePair: { times: 9 } },
    });
    breaker.observe(message('a', 'one'));
    trip();
    permitFor(turn('a'));
    breaker.observe(message('a', NEWS));
    expect(breaker.conversation().state.status).toBe('closed');
    expect(breaker.observe(message('b', 'four'))).toMatchObject({
      kind: 'limit',
      evidence: { count: 4 },
    });
  });

  it('[BRK7] is over with its first release, and leaves the next probe alone', () => {
    const { breaker, clock, permitFor, trip } = team();
    trip();
    const first = permitFor(turn('a'));
    first.release();
    first.release();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
    clock.now += 2 * COOLDOWN_MS;
    const second = permitFor(turn('a'));
    first.release();
    expect(breaker.conversation().state.status).toBe('half-open');
    second.release();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 3 });
  });

  describe('[CIR15] says nothing of the team', () => {
    const turnOf = ({ breaker, clock }: ReturnType<typeof team>, signal: AbortSignal) =>
      breaker.run({ ...turn('a'), at: clock.now }, () => new Promise<string>(() => {}), { signal });

    it('if its caller cancels it', async () => {
      const probing = team();
      probing.trip();
      const leaving = new AbortController();
      const running = turnOf(probing, leaving.signal);
      expect(probing.breaker.conversation().state.status).toBe('half-open');
      leaving.abort();
      await expect(running).rejects.toThrow('aborted');
      expect(probing.breaker.conversation().state).toMatchObject({ status: 'open', openings: 1 });
    });

    it('unless it was made', async () => {
      const { breaker, clock, trip } = team();
      trip();
      await breaker.run({ ...turn('a'), at: clock.now }, async () => '');
      expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
    });
  });

  it('[BRK7] that has succeeded is not failed by its release', () => {
    const { breaker, permitFor, trip } = team();
    trip();
    const permit = permitFor(turn('a'));
    breaker.observe(message('a', NEWS));
    permit.release();
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[BRK8] admits nothing with the permit of another step, or of a probe that is over', () => {
    const { clock, admit, permitFor, trip } = team();
    const plain = permitFor(turn('a'));
    trip();
    const first = permitFor(turn('a'));
    expect(admit(turn('b'), plain).isAdmitted).toBe(false);
    first.release();
    expect(admit(turn('b'), first).isAdmitted).toBe(false);
    clock.now += 2 * COOLDOWN_MS;
    permitFor(turn('a'));
    expect(admit(turn('b'), first).isAdmitted).toBe(false);
  });

  it('[BRK8] admits a model call inside it, which is no probe of its own', () => {
    const { permitFor, trip } = team({ budget: { maxTokens: 100 } });
    trip();
    const probe = permitFor(turn('a'));
    const inner = permitFor(modelRequest({ inputTokens: 1 }), probe);
    expect(inner.isProbe).toBe(false);
    expect(permitFor(turn('b'), probe).isProbe).toBe(false);
  });

  it('[SNP4] that was under way is given up by the breaker that takes over', () => {
    const first = team();
    first.trip();
    const permit = first.permitFor(turn('a'));
    const second = team();
    second.clock.now = 1500;
    const states: string[] = [];
    second.breaker.on('state', ({ to }) => states.push(to.status));
    second.breaker.restore(JSON.parse(JSON.stringify(first.breaker.snapshot())));
    expect(states).toEqual(['half-open', 'open']);
    expect(second.breaker.conversation().state).toMatchObject({ openedAt: 1500, openings: 2 });
    expect(second.admit(turn('a'), permit).isAdmitted).toBe(false);
    second.clock.now = 1500 + 2 * COOLDOWN_MS;
    expect(second.permitFor(turn('a')).isProbe).toBe(true);
  });

  it('[SNP4] that is given up admits and closes nothing for listeners that are called meanwhile', () => {
    const { breaker, admit, permitFor, trip } = team();
    trip();
    permitFor(turn('a'));
    const seen: unknown[] = [];
    breaker.on('error', ({ error }) => seen.push(error));
    breaker.on('state', ({ to }) => {
      if (to.status !== 'half-open') return;
      seen.push(admit(turn('a')).isAdmitted);
      breaker.observe(message('a', NEWS));
    });
    breaker.restore(breaker.snapshot());
    expect(seen).toEqual([false]);
    expect(breaker.conversation().state.status).toBe('open');
  });

  it('[SNP4] of the breaker itself is given up when it is restored', () => {
    const { breaker, admit, permitFor, trip } = team();
    trip();
    const snapshot = breaker.snapshot();
    const permit = permitFor(turn('a'));
    breaker.restore(snapshot);
    permitFor(turn('a'));
    expect(admit(turn('b'), permit).isAdmitted).toBe(false);
  });
});

describe('a request that is refused', () => {
  it('[BRK1] trips at its own time, with the index of the signal that it would have been', () => {
    const { breaker, admit } = team({ contextWindow: { maxContextTokens: 5 } });
    breaker.observe(message('a', 'one'));
    const request = { ...modelRequest({ inputTokens: 6 }), at: 70 };
    expect(breaker.admit(request)).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'context-window', at: 70, index: 1 },
    });
    expect(admit(turn('a')).isAdmitted).toBe(false);
  });

  it('[BRK1] trips at its own time by the budget, too', () => {
    const { breaker } = team({ budget: { maxTokens: 5 } });
    breaker.observe(message('a', 'one'));
    expect(breaker.admit({ ...modelRequest({ inputTokens: 6 }), at: 70 })).toMatchObject({
      trip: { kind: 'budget', at: 70, index: 1 },
    });
  });

  it('[CTX1] is refused by the window only if it asks for a model call', () => {
    const { admit } = team({ contextWindow: { maxContextTokens: 1 } });
    expect(admit({ kind: 'handoff', at: 0, agent: 'a', to: 'b' }).isAdmitted).toBe(true);
    expect(admit(turn('a')).isAdmitted).toBe(true);
  });

  it('[BUD9] keeps a closed circuit closed when the store fails', async () => {
    const fail = () => Promise.reject(new Error('store is down'));
    const store = { reserve: fail, settle: fail, totals: fail };
    const { breaker } = team({ budget: { maxUsd: 1, store } });
    await expect(breaker.admit(modelRequest())).rejects.toThrow('store is down');
    expect(breaker.conversation().state.status).toBe('closed');
  });
});
