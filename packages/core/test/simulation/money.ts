import { FakeClock } from '@teamfuse/testing';
import { expect } from 'vitest';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { toNanoUsd } from '../../src/budget/amount.ts';
import type { Reservation } from '../../src/budget/calls/reservations.ts';
import { Pricing } from '../../src/budget/pricing.ts';
import { SharedSpend } from '../../src/budget/shared-spend.ts';
import { SpendTracker } from '../../src/budget/spend-tracker.ts';
import { modelRequest, usage } from '../support/signals.ts';
import { ExactBooks } from './exact-books.ts';

const PURSES = 1_000;
const MINUTE = 60_000;
const WINDOW = 60 * MINUTE;
const RESERVATION = 10 * MINUTE;
const LIMIT = { whole: 60, agent: 0.2 };

interface Running {
  readonly tracker: SpendTracker;
  readonly reservation: Reservation;
  readonly requestId: string;
  readonly agent: string;
}

type Happening = 'granted' | 'refused' | 'failed' | 'twice' | 'lost' | 'late' | 'jumps';

/** Runs conversations by a clock that jumps, and compares the books with exact ones. Returns how often each thing happened. */
export function spendMoney(
  seed: number,
  conversations: number,
): Readonly<Record<Happening, number>> {
  const random = new SeededRandom(seed);
  const clock = new FakeClock(1e12);
  const perAgent = { maxUsd: LIMIT.agent };
  const agents = Object.fromEntries(
    Array.from({ length: PURSES / 2 }, (_, i) => [`agent ${2 * i}`, { maxUsd: 2 * LIMIT.agent }]),
  );
  const budget = {
    maxUsd: LIMIT.whole,
    perAgent,
    agents,
    windowMs: WINDOW,
    reservationMs: RESERVATION,
  };
  const shared = new SharedSpend(budget, clock.now);
  const pricing = new Pricing({}, () => {});
  const exact = new ExactBooks(WINDOW, RESERVATION);
  const limitOf = (agent: string) => toNanoUsd(agent in agents ? 2 * LIMIT.agent : LIMIT.agent);
  const running: Running[] = [];
  const happened: Record<Happening, number> = {
    granted: 0,
    refused: 0,
    failed: 0,
    twice: 0,
    lost: 0,
    late: 0,
    jumps: 0,
  };
  let [ahead, index] = [0, 0];

  const begin = (): void => {
    const id = `${index}`;
    const tracker = new SpendTracker(shared, pricing, id, undefined);
    const agent = `agent ${random.below(PURSES)}`;
    const estimate = random.below(2e8) / 1e9;
    const request = modelRequest({
      requestId: 'r',
      agent,
      inputTokens: 10,
      estimatedCostUsd: estimate,
    });
    const call = tracker.callOf(request);
    const answer = shared.budget.reserve(call);
    if (answer instanceof Promise || answer === undefined) throw new Error('expected an answer');
    const { nanoUsd } = call.amount;
    const fits = () =>
      exact.claimed('') + BigInt(nanoUsd) <= BigInt(toNanoUsd(LIMIT.whole)) &&
      exact.claimed(agent) + BigInt(nanoUsd) <= BigInt(limitOf(agent));
    if (random.oneIn(20)) expect(answer.finding === undefined).toBe(fits());
    if (answer.finding !== undefined) {
      happened.refused++;
      return;
    }
    happened.granted++;
    exact.reserve(answer.reservation.id, ['', agent], nanoUsd);
    running.push({ tracker, reservation: answer.reservation, requestId: 'r', agent });
  };

  const end = (): void => {
    const at = random.below(running.length);
    const one = running[at] as Running;
    running[at] = running.at(-1) as Running;
    running.pop();
    const { tracker, reservation, requestId, agent } = one;
    const report = (fields: Parameters<typeof usage>[0]): void => {
      const signal = usage({ requestId, agent, ...fields });
      tracker.observe({ signal, index, tokens: 0 } as never);
    };
    if (random.oneIn(20)) {
      happened.lost++;
      return;
    }
    if (!exact.isReserved(reservation.id)) happened.late++;
    if (random.oneIn(10)) {
      happened.failed++;
      report({ inputTokens: 0, outputTokens: 0, costUsd: null, error: { message: 'down' } });
      exact.settle(reservation.id, ['', agent], 0);
      return;
    }
    const nanoUsd = random.oneIn(5_000) ? Number.MAX_SAFE_INTEGER : random.below(2e8);
    report({ costUsd: nanoUsd / 1e9 });
    if (random.oneIn(10)) {
      happened.twice++;
      report({ costUsd: nanoUsd / 2e9 });
    }
    exact.settle(reservation.id, ['', agent], toNanoUsd(nanoUsd / 1e9));
  };

  const pass = (): void => {
    const ms = random.below(4_000);
    clock.advance(ms);
    exact.pass(ms, clock.now());
    if (!random.oneIn(1_000)) return;
    happened.jumps++;
    shared.budget.ledger.memory?.totals();
    clock.advance(-ahead);
    ahead = ahead === 0 ? MINUTE + random.below(random.pick([MINUTE, 10 * WINDOW])) : 0;
    clock.advance(ahead);
    exact.pass(0, clock.now());
    shared.budget.ledger.memory?.totals();
  };

  while (index < conversations) {
    pass();
    if (running.length > 0 && random.below(60) < running.length) end();
    else {
      begin();
      index++;
    }
    if (index % 500 === 0) compare();
  }

  function compare(): void {
    const names = Array.from({ length: 20 }, () => `agent ${random.below(PURSES)}`);
    const totals = shared.budget.ledger.memory?.totals(names.map((name) => `agent:${name}`));
    const found = [totals, ...(totals?.purses ?? [])].map((one) => [
      one?.spent.nanoUsd,
      one?.reserved.nanoUsd,
    ]);
    expect(found).toEqual(['', ...names].map((name) => exact.totals(name)));
  }
  compare();
  return happened;
}
