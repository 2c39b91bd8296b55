import { describe, expect, it } from 'vitest';
import { NOTHING } from '../../src/budget/amount.ts';
import { PurseWarnings } from '../../src/budget/purse-warnings.ts';
import { Breaker } from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';
import { warningsOf } from '../support/warnings.ts';

describe('the warning of a budget', () => {
  it('[WRN1] comes once for each purse, and again once the limit is raised', () => {
    const budget = { maxUsd: 10, agents: { critic: { maxUsd: 1 } }, warnAt: 0.8 };
    const breaker = new Breaker({ budget });
    const found: string[] = [];
    breaker.on('finding', ({ finding }) => found.push(`${finding.level}: ${finding.reason}`));
    for (const costUsd of [0.5, 0.3, 0.1]) breaker.observe(usage({ agent: 'critic', costUsd }));
    expect(found).toEqual(["warn: 80% of the budget of agent 'critic' is spent: $0.80 of $1.00"]);
    breaker.observe(usage({ costUsd: 7.5 }));
    breaker.observe(usage({ costUsd: 0.1 }));
    expect(found.slice(1)).toEqual(['warn: 84% of the budget is spent: $8.40 of $10.00']);
    breaker.raise({ maxUsd: 20 });
    breaker.observe(usage({ costUsd: 0.1 }));
    breaker.observe(usage({ costUsd: 8 }));
    expect(found.slice(2)).toEqual(['warn: 83% of the budget is spent: $16.60 of $20.00']);
    expect(breaker.conversation().trip).toBeUndefined();
  });

  it('[WRN1] is told to the team as a warning, stops nobody, and comes in tokens too', () => {
    const breaker = new Breaker({ budget: { maxTokens: 20, warnAt: 0.5 } });
    const warnings = warningsOf(breaker);
    breaker.observe(usage());
    expect(warnings).toEqual(['75% of the budget is spent: 15 tokens of 20 tokens']);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  it('[WRN1] is remembered of the latest 10,000 purses, of one in use for good', () => {
    const warnings = new PurseWarnings(0.5);
    const due = (name: string) => {
      const totals = { spent: { nanoUsd: 0, tokens: 15 }, reserved: NOTHING };
      return warnings.due('writer', [{ purse: { name, tokens: 20 }, totals }]);
    };
    expect(due('busy')?.level).toBe('warn');
    for (let i = 0; i < 10_100; i++) {
      expect(due(`conversation:${i}:0`)?.level).toBe('warn');
      if (i % 1_000 === 0) expect(due('busy')).toBeUndefined();
    }
    expect(warnings.state).toHaveLength(10_000);
    expect(due('busy')).toBeUndefined();
  });

  it('[WRN1] is not given again by a breaker that is restored', () => {
    const options = { budget: { maxTokens: 100, warnAt: 0.1 } };
    const first = new Breaker(options);
    first.observe(usage());
    const second = new Breaker(options);
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const found: unknown[] = [];
    second.on('finding', ({ finding }) => found.push(finding));
    second.observe(usage());
    expect(found).toEqual([]);
  });
});

describe('what a budget keeps back', () => {
  const budget = { maxUsd: 1, reserveUsd: 0.25 };
  const call = (estimatedCostUsd: number, isWrapUp = false) =>
    modelRequest({
      requestId: `${estimatedCostUsd}`,
      estimatedCostUsd,
      ...(isWrapUp && { isWrapUp }),
    });

  it('[WRN2] is refused to a call that does not wrap up', () => {
    const breaker = new Breaker({ budget });
    expect(breaker.admit(call(0.75))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(call(0.01))).toMatchObject({
      isAdmitted: false,
      trip: {
        reason:
          'the next call would exceed the budget ($1.00): $0.00 spent, $0.75 reserved for 1 other call, $0.25 kept back, $0.01 needed',
      },
    });
  });

  it('[WRN2] is there for a call that wraps up, also after the budget has stopped the team', () => {
    const breaker = new Breaker({ budget });
    breaker.observe(usage({ costUsd: 0.7 }));
    expect(breaker.admit(call(0.2))).toMatchObject({ isAdmitted: false });
    expect(breaker.admit(call(0.2, true))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(call(0.1, true))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(call(0.01, true))).toMatchObject({ isAdmitted: false });
    expect(breaker.conversation().trip?.kind).toBe('budget');
  });

  it('[WRN2] lets nothing through that something else has stopped', () => {
    const breaker = new Breaker({ budget, maxMessages: 1 });
    breaker.observe(message('writer', 'one'));
    expect(breaker.admit(call(0.1, true))).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'limit' },
    });
  });

  it('[WRN2] is counted in tokens too', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100, reserveTokens: 40 } });
    expect(breaker.admit(modelRequest({ inputTokens: 60 }))).toMatchObject({ isAdmitted: true });
    expect(breaker.admit(modelRequest({ inputTokens: 40, isWrapUp: true }))).toMatchObject({
      isAdmitted: true,
    });
  });
});
