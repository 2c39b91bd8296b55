import { describe, expect, it } from 'vitest';
import { MemoryBudgetStore } from '../../src/budget/store/memory-budget-store.ts';
import {
  Breaker,
  type BreakerOptions,
  type BudgetOptions,
  type BudgetStore,
  type Finding,
} from '../../src/index.ts';
import { heard } from '../support/judge.ts';
import { message, modelRequest, usage } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';
import { warningsOf } from '../support/warnings.ts';

const TOKENS = { inputTokens: 1800, outputTokens: 200 };

interface Paying extends BreakerOptions {
  readonly costUsd?: number | null;
}

/** A breaker whose judge says no at a price, and what it tells of findings. */
function paying(budget: BudgetOptions, { costUsd = 0.25, ...options }: Paying = {}) {
  const findings: Finding[] = [];
  const breaker = new Breaker({
    judge: () => ({ probability: 0, usage: { ...TOKENS, costUsd } }),
    budget,
    ...options,
  });
  breaker.on('finding', ({ finding }) => {
    if (finding.kind === 'budget') findings.push(finding);
  });
  let said = 0;
  const stall = (times = 12): void => {
    for (let i = 0; i < times; i++) {
      breaker.observe(message('ab'.charAt(said % 2), staleText(said++)));
    }
  };
  return { breaker, findings, stall };
}

/** A store that answers later. */
function lateStore(): BudgetStore {
  const store = new MemoryBudgetStore(
    { nanoUsd: 0, tokens: 0 },
    { now: () => 0, reservationMs: 1 },
  );
  return {
    reserve: async (...args) => store.reserve(...args),
    settle: async (...args) => store.settle(...args),
    totals: async (...args) => store.totals(...args),
  };
}

describe('what a judge may spend', () => {
  it.each<[string, BudgetOptions]>([
    ['in dollars', { agents: { judge: { maxUsd: 0.4 } } }],
    ['in tokens', { agents: { judge: { maxTokens: 3000 } } }],
    ['as each agent', { perAgent: { maxUsd: 0.4 } }],
  ])('[JDG18] ends its questions and stops nobody, %s', (_, budget) => {
    const { breaker, stall } = paying(budget, { repetition: false, speakerCycle: false });
    stall(40);
    expect(breaker.judged).toMatchObject({ questions: 2, cost: { nanoUsd: 500_000_000 } });
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[JDG18] is told as a warning once it is used up, and not given to the team', () => {
    const { breaker, findings, stall } = paying({ agents: { judge: { maxUsd: 0.4 } } });
    const warnings = warningsOf(breaker);
    stall(16);
    expect(findings).toMatchObject([
      {
        level: 'warn',
        reason: "the budget of agent 'judge' ($0.40) is used up: $0.50 spent",
        evidence: { purse: 'agent:judge' },
      },
    ]);
    expect(warnings).toHaveLength(0);
  });

  it('[PUR6] is charged to the user and the key of the latest request', () => {
    const { breaker, stall } = paying({ users: { ann: { maxUsd: 0.2 } } });
    breaker.admit(modelRequest({ user: 'ann', requestId: 'r', estimatedCostUsd: 0 }));
    stall();
    expect(breaker.conversation().trip?.evidence.purse).toBe('user:ann');
  });

  it('[JDG18] is told when a part of it is spent, where warnAt says so', () => {
    const { breaker, findings, stall } = paying({
      agents: { judge: { maxUsd: 0.5 } },
      warnAt: 0.5,
    });
    const warnings = warningsOf(breaker);
    stall(4);
    expect(findings.map(({ reason }) => reason)).toEqual([
      "50% of the budget of agent 'judge' is spent: $0.25 of $0.50",
    ]);
    expect(warnings).toHaveLength(0);
  });

  it('[JDG18] lets the breaker decide alone once it is used up', () => {
    const { breaker, stall } = paying({ agents: { judge: { maxUsd: 0.4 } } });
    stall(20);
    expect(breaker.conversation().trip?.kind).toBe('speaker-cycle');
    expect(breaker.conversation().trip?.reason).not.toContain('judge');
  });

  it.each([undefined, lateStore()])(
    '[JDG18] lets the breaker decide alone once it is used up, however little the team has spent',
    async (store) => {
      const budget = { agents: { judge: { maxUsd: 0.2 } }, ...(store && { store }) };
      const { breaker, stall } = paying(budget);
      stall(4);
      await heard();
      breaker.observe(usage({ costUsd: 0.001 }));
      for (let i = 0; i < 16; i++) {
        stall(1);
        await heard();
      }
      expect(breaker.judged.questions).toBe(1);
      expect(breaker.conversation().trip?.kind).toBe('speaker-cycle');
    },
  );

  it('[JDG25] leaves a suspicion waiting while something is left', () => {
    const { breaker, stall } = paying({ agents: { judge: { maxUsd: 1 } } });
    stall(4);
    breaker.observe(usage({ costUsd: 0.001 }));
    stall(16);
    expect(breaker.judged.questions).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[JDG18] is asked for again once it is raised', () => {
    const { breaker, stall } = paying(
      { agents: { judge: { maxUsd: 0.4 } } },
      { repetition: false, speakerCycle: false },
    );
    stall(20);
    breaker.raise({ agents: { judge: { maxUsd: 0.6 } } });
    stall(20);
    expect(breaker.judged.questions).toBe(3);
  });

  it('[JDG18] is nothing where nothing may be spent', () => {
    const { breaker, stall } = paying({ agents: { judge: { maxUsd: 0 } } });
    stall(6);
    expect(breaker.judged.questions).toBe(0);
  });

  it('[JDG18] leaves what is kept back to those who wrap up', () => {
    const { breaker, stall } = paying(
      { maxUsd: 1, reserveUsd: 0.6 },
      { repetition: false, speakerCycle: false },
    );
    breaker.trackCost(0.4);
    stall();
    expect(breaker.judged.questions).toBe(0);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[JDG18] is what the whole team may spend, too', () => {
    const { breaker, stall } = paying({ maxUsd: 0.4 });
    stall();
    expect(breaker.judged.questions).toBe(2);
    expect(breaker.conversation().trip?.reason).toBe('the budget of $0.40 is used up: $0.50 spent');
  });

  it('[JDG18] is asked of a store that answers later', async () => {
    const { breaker, findings, stall } = paying(
      { agents: { judge: { maxUsd: 0.4 } }, store: lateStore() },
      { repetition: false, speakerCycle: false },
    );
    for (let i = 0; i < 20; i++) {
      stall(2);
      await heard();
    }
    expect(breaker.judged.questions).toBe(2);
    expect(findings).toHaveLength(1);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[JDG18] is not asked for a question that was given up meanwhile', async () => {
    const { breaker, stall } = paying({ maxUsd: 4, store: lateStore() });
    stall(5);
    breaker.conversation().beginRun();
    await heard();
    expect(breaker.judged.questions).toBe(0);
  });

  it('[JDG18] is nothing where the store cannot say so, which is told', async () => {
    const errors: unknown[] = [];
    const down = (): never => {
      throw new Error('down');
    };
    const store = { ...lateStore(), totals: down };
    const { breaker, stall } = paying({ maxUsd: 4, store });
    breaker.on('error', ({ during, error }) => errors.push([during, String(error)]));
    stall(5);
    await heard();
    expect(breaker.judged.questions).toBe(0);
    expect(errors).toEqual([['store', expect.stringContaining('down')]]);
  });

  it('[JDG19] in dollars alone ends with the first answer at a price that nobody knows', () => {
    const off: Paying = { costUsd: null, repetition: false, speakerCycle: false };
    const { breaker, findings, stall } = paying({ agents: { judge: { maxUsd: 0.4 } } }, off);
    stall(20);
    expect(breaker.judged.questions).toBe(1);
    expect(breaker.conversation().trip).toBeUndefined();
    expect(findings).toMatchObject([{ level: 'warn', evidence: { purse: 'agent:judge' } }]);
    expect(findings[0]?.reason).toContain('a budget of $0.40 cannot be enforced');
    const inTokens = paying({ agents: { judge: { maxUsd: 0.4, maxTokens: 9000 } } }, off);
    inTokens.stall(40);
    expect(inTokens.breaker.judged.questions).toBe(5);
  });
});
