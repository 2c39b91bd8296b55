import { InvalidOptionError, MemoryBudgetStore } from '@teamfuse/core';
import type { Detector } from '@teamfuse/core/detectors';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { breakerFromPolicy, type Policy, parsePolicy } from '../src/index.ts';

const message = { kind: 'message', at: 0, agent: 'writer', text: 'A first draft.' } as const;

describe('a breaker from a policy', () => {
  it('[POL13] has the options of its team', () => {
    const policy = parsePolicy('maxTurns = 9\n[teams.small]\nmaxTurns = 1', 'teamfuse.toml');
    expect(breakerFromPolicy(policy).observe(message)).toBeUndefined();
    expect(breakerFromPolicy(policy, { team: 'small' }).observe(message)?.kind).toBe('limit');
  });

  it.each([{ maxToolCalls: 1 }, 'teamfuse.toml', undefined])(
    '[POL18] is refused what is no policy: %j',
    (policy) => {
      const make = (): unknown => breakerFromPolicy(policy as unknown as Policy);
      expect(make).toThrow(InvalidOptionError);
      expect(make).toThrow(/'policy': expected a policy: .*parsePolicy.*loadPolicy/);
    },
  );

  const PRICES = `
    [prices.my-llama]
    inputUsdPerMillion = "$0.20"
    outputUsdPerMillion = 0.6
    [teams.rich.prices.'llama3.1:70b']
    inputUsdPerMillion = 2
    outputUsdPerMillion = 6`;

  it('[POL24] has the prices of the file, of its team and of the code', () => {
    const policy = parsePolicy(PRICES, 'teamfuse.toml');
    const usdOf = (options: Parameters<typeof breakerFromPolicy>[1]) => {
      const { pricing } = internalsOf(breakerFromPolicy(policy, options));
      const usage = { inputTokens: 1_000_000, outputTokens: 0 };
      return ['my-llama', 'llama3.1:70b', 'gpt-4o'].map((model) => pricing.usd('a', model, usage));
    };
    expect(usdOf({})).toEqual([0.2, null, 2.5]);
    expect(usdOf({ team: 'rich' })).toEqual([0.2, 2, 2.5]);
    const given = { 'llama3.1:70b': { inputUsdPerMillion: 4, outputUsdPerMillion: 4 } };
    expect(usdOf({ prices: given })).toEqual([0.2, 4, 2.5]);
    expect(usdOf({ prices: { price: () => ({ nanoUsd: 1e9 }) } })).toEqual([1, 1, 1]);
  });

  it.each([
    ["[prices.'llama3.1:70b']\ninputUsdPerMillion = 1", 'outputUsdPerMillion', 'received nothing'],
    [
      "prices.'llama3.1:70b' = { inputUsdPerMillion = -1, outputUsdPerMillion = 1 }",
      'inputUsdPerMillion',
      'at least 0, received -1',
    ],
  ])('[POL24] names the model and the field of a wrong price: %s', (text, field, said) => {
    const read = (): unknown => parsePolicy(text, 'teamfuse.toml');
    expect(read).toThrow(`key 'prices.llama3.1:70b.${field}'`);
    expect(read).toThrow(said);
  });

  it('[POL13] has the store, the clock and the detectors of the code', () => {
    const policy = parsePolicy('budget.maxUsd = "$1"', 'teamfuse.toml');
    const store = new MemoryBudgetStore();
    const found: string[] = [];
    const own = (): Detector => ({
      kind: 'custom:own',
      observe: ({ signal }) => void found.push(signal.kind),
      reset: () => {},
      snapshot: () => null,
      restore: () => {},
    });
    const options = { budget: { store }, now: () => 17, detectors: [own] };
    const breaker = breakerFromPolicy(policy, options);
    breaker.observe(message);
    breaker.trackCost(2);
    expect([breaker.now(), found, breaker.conversation().trip?.kind]).toEqual([
      17,
      ['message'],
      'budget',
    ]);
    expect(store.totals().spent.nanoUsd).toBe(2e9);
  });

  it('[POL13] compares the calls of a tool by the loop key of the code', () => {
    const text = '[analysis.tools.search]\nvolatileFields = ["page"]';
    const loopKey = () => 'the same';
    const breaker = breakerFromPolicy(parsePolicy(text, 'teamfuse.toml'), {
      analysis: { tools: { search: { loopKey } } },
    });
    const call = (q: string) =>
      breaker.observe({
        ...{ kind: 'tool-call', at: 0, agent: 'clerk', tool: 'search' },
        ...{ args: { q }, result: { hits: 0 } },
      });
    const kinds = ['tides', 'moons', 'storms'].map((q) => call(q)?.kind);
    expect(kinds).toEqual([undefined, undefined, 'repetition']);
  });

  it('[POL13] has the function of the code that says what a failure is', () => {
    const text = '[analysis.tools.deploy]\nisFailure = { field = "state", is = ["crashed"] }';
    const policy = parsePolicy(text, 'teamfuse.toml');
    const failuresOf = (isFailure?: () => boolean): number => {
      const tools = isFailure && { deploy: { isFailure } };
      const breaker = breakerFromPolicy(policy, tools && { analysis: { tools } });
      const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 'deploy', args: {} } as const;
      breaker.observe({ ...call, result: { state: 'crashed' } });
      return breaker.conversation().counters.failures;
    };
    expect([failuresOf(), failuresOf(() => false)]).toEqual([1, 0]);
  });

  it('[POL19] says of which team a guard is to ask the model, and which one', () => {
    const text = 'judge = true\n[teams.a]\njudge = "gpt-4o-mini"\n[teams.b]\njudge = false';
    const policy = parsePolicy(text, 'teamfuse.toml');
    const choices = [undefined, 'a', 'b'].map(
      (team) => internalsOf(breakerFromPolicy(policy, { team })).judges.choice,
    );
    expect(choices).toEqual([true, 'gpt-4o-mini', false]);
  });

  it('[POL19] has the judge of the code in place of that of the file', () => {
    const policy = parsePolicy('judge = true', 'teamfuse.toml');
    expect(internalsOf(breakerFromPolicy(policy, { judge: false })).judges.choice).toBe(false);
    expect(internalsOf(breakerFromPolicy(policy, { judge: () => 0 })).judges.hasOwn).toBe(true);
  });

  it.each([
    [{ maxTurns: 5 }, 'maxTurns'],
    [{ budget: { maxUsd: 5 } }, 'budget.maxUsd'],
  ])('[POL13] refuses %j from code', (options, option) => {
    const policy = parsePolicy('', 'teamfuse.toml');
    const refusal = expect.objectContaining({ code: 'INVALID_OPTION', option });
    expect(() => breakerFromPolicy(policy, options as object)).toThrow(refusal);
    expect(() => breakerFromPolicy(policy, options as object)).toThrow(InvalidOptionError);
  });
});
