import { PRESETS } from '@teamfuse/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PolicyError, parsePolicy, policyFor } from '../src/index.ts';
import { refusalOf } from './support/refusal.ts';

const EVERYTHING = `
sensitivity = "high"
maxMessages = 60
maxTurns = 30
maxModelCalls = 40
maxToolCalls = 50
maxRunMs = "1h 30m"
cooldownMs = "90s"
excerpts = false
scope = "breaker"
stopTexts = [{ text = "DONE", from = ["critic"] }]
tellLimits = true
limits.tools.search.maxCalls = 5
rate = false

[budget]
maxUsd = "$6"
maxTokens = 1_000_000
spentUsd = "$0.50"
windowMs = "1d"

[contextWindow]
maxContextTokens = 128_000
headroom = 4_000

[reaction]
repetition = "warn"
"custom:tone" = "observe"

[speakerCycle]
limit = 4
samePair = { times = 4, windowTurns = 12 }

[executionStorm]
maxInARow = 4

[historyDrift]
maxTokens = 100_000
ratio = 3.5

[analysis.tools.status]
polls = { maxWaitMs = "10m", minPauseMs = 250 }
`;

const OPTIONS = {
  sensitivity: 'high',
  maxMessages: 60,
  maxTurns: 30,
  maxModelCalls: 40,
  maxToolCalls: 50,
  executionStorm: { maxInARow: 4 },
  historyDrift: { maxTokens: 100_000, ratio: 3.5 },
  maxRunMs: 5_400_000,
  cooldownMs: 90_000,
  excerpts: false,
  scope: 'breaker',
  stopTexts: [{ text: 'DONE', from: ['critic'] }],
  tellLimits: true,
  limits: { tools: { search: { maxCalls: 5 } } },
  rate: false,
  budget: { maxUsd: 6, maxTokens: 1_000_000, spentUsd: 0.5, windowMs: 86_400_000 },
  contextWindow: { maxContextTokens: 128_000, headroom: 4_000 },
  reaction: { repetition: 'warn', 'custom:tone': 'observe' },
  speakerCycle: { limit: 4, samePair: { times: 4, windowTurns: 12 } },
  analysis: { tools: { status: { polls: { maxWaitMs: 600_000, minPauseMs: 250 } } } },
};

describe('a policy', () => {
  it('[POL1] has the options of a breaker under their own names', () => {
    expect(parsePolicy(EVERYTHING, 'teamfuse.toml').options).toEqual(OPTIONS);
  });

  it('[POL20] lies on the preset that it names', () => {
    const policy = parsePolicy(
      'preset = "classic"\nmaxMessages = 9\nbudget.warnAt = 0.5\n[teams.a]\nspeakerCycle = false',
      'teamfuse.toml',
    );
    const { budget, ...classic } = PRESETS.classic;
    const all = { ...classic, budget: { ...budget, warnAt: 0.5 }, maxMessages: 9 };
    expect(policy.options).toEqual(all);
    expect(policyFor(policy, 'a')).toEqual({ ...all, speakerCycle: false });
    expect(refusalOf('preset = "modern"').expected).toBe('one of classic');
  });

  it('[POL1] may be empty', () => {
    expect(parsePolicy('', 'teamfuse.toml').options).toEqual({});
  });

  it.each([
    ['"250ms"', 250],
    ['"1.5s"', 1500],
    ['"15m"', 900_000],
    ['"1h30m"', 5_400_000],
    ['"2 d"', 172_800_000],
    ['900000', 900_000],
  ])('[POL2] takes %s as a duration', (given, ms) => {
    expect(parsePolicy(`maxRunMs = ${given}`, 'teamfuse.toml').options.maxRunMs).toBe(ms);
  });

  it.each(['"15"', '"15 x"', '"-5m"', '""', '"soon"', 'inf', 'true'])(
    '[POL2] refuses %s as a duration',
    (given) => {
      expect(refusalOf(`maxRunMs = ${given}`).expected).toBe(
        'milliseconds, or a duration such as "15m", "90s" or "1h 30m"',
      );
    },
  );

  it.each([
    ['"$6"', 6],
    ['"$0.05"', 0.05],
    ['6', 6],
  ])('[POL3] takes %s as an amount', (given, usd) => {
    const { budget } = parsePolicy(`budget.maxUsd = ${given}`, 'teamfuse.toml').options;
    expect(budget?.maxUsd).toBe(usd);
  });

  it.each(['"6"', '"6 USD"', '"$"', '"$1,000"', '"€6"'])(
    '[POL3] refuses %s as an amount',
    (given) => {
      expect(refusalOf(`budget.maxUsd = ${given}`).expected).toBe(
        'US dollars, or an amount such as "$6" or "$0.50"',
      );
    },
  );

  it('[POL4] puts the section of a team on top of the options of all', () => {
    const policy = parsePolicy(
      `stopTexts = [{ text = "A" }]
       rate = { limit = 4 }
       budget = { maxUsd = 6, maxTokens = 100 }
       [teams.research]
       budget.maxUsd = "$1"
       rate = false
       stopTexts = []`,
      'teamfuse.toml',
    );
    expect(policyFor(policy, 'research')).toEqual({
      stopTexts: [],
      rate: false,
      budget: { maxUsd: 1, maxTokens: 100 },
    });
  });

  it('[POL17] takes the budget of an agent under its name', () => {
    const policy = parsePolicy(
      `agents.critic.budget.maxUsd = "$0.50"
       budget.agents.writer.maxTokens = 100
       [teams.research.agents.critic]
       budget = { maxTokens = 9 }`,
      'teamfuse.toml',
    );
    expect(policyFor(policy, 'research').budget?.agents).toEqual({
      critic: { maxUsd: 0.5, maxTokens: 9 },
      writer: { maxTokens: 100 },
    });
  });

  it.each([
    ['[agents.critic]\nbudget.maxUsd = -1', '2:8', 'agents.critic.budget.maxUsd'],
    ['budget.agents.critic.maxUsd = -1', '1:22', 'budget.agents.critic.maxUsd'],
    ['[teams.x.agents."a.b".budget]\nmaxUsd = -1', '2:1', 'teams.x.agents.a.b.budget.maxUsd'],
    ['[budget.models]\n"gpt-4.1" = { maxUsd = -1 }', '2:15', 'budget.models.gpt-4.1.maxUsd'],
  ])('[POL17] finds what is wrong in %j', (text, place, key) => {
    const error = refusalOf(text);
    expect([`${error.line}:${error.column}`, error.key]).toEqual([place, key]);
  });

  it('[POL5] has the options of all teams where no team is named', () => {
    const policy = parsePolicy('maxTurns = 9\n[teams.research]\nmaxTurns = 5', 'teamfuse.toml');
    expect(policyFor(policy)).toEqual({ maxTurns: 9 });
  });

  it('[POL1] says by a field which results of a tool are failures', () => {
    const text = '[analysis.tools.deploy.isFailure]\nfield = "state"\nis = ["crashed"]';
    const { options } = parsePolicy(text, 'teamfuse.toml');
    const isFailure = { field: 'state', is: ['crashed'] };
    expect(options.analysis?.tools?.deploy).toEqual({ isFailure });
  });

  it.each([
    ['isFailure = true', "key 'analysis.tools.deploy.isFailure'"],
    ['isFailure.field = "state"', 'analysis.tools.deploy.isFailure.is'],
    ['isFailure = { field = "state", is = "crashed" }', 'analysis.tools.deploy.isFailure.is'],
    ['isFailure = { field = "state", is = [], iss = [] }', "did you mean 'is'?"],
  ])('[POL6] refuses what says no field with values: %s', (line, text) => {
    expect(refusalOf(`[analysis.tools.deploy]\n${line}`).message).toContain(text);
  });

  it.each([
    ['reserch', "a known team (did you mean 'research'?)"],
    ['toString', 'one of the teams research, review'],
  ])('[POL5] refuses the team %s, which has no section', (team, expected) => {
    const policy = parsePolicy('[teams.research]\n[teams.review]', 'teamfuse.toml');
    expect(() => policyFor(policy, team)).toThrow(
      `teamfuse.toml:1:2: key 'teams.${team}': expected ${expected}, received nothing`,
    );
  });

  it('[POL6] is refused where a breaker would refuse it', () => {
    expect(refusalOf('maxMessages = 0').message).toBe(
      "teamfuse.toml:1:1: key 'maxMessages': expected a whole number of at least 1, received 0",
    );
  });

  it('[POL6] is refused where only the options of a team beside those of all are wrong', () => {
    const text = 'speakerCycle.limit = 10\n[teams.small.speakerCycle]\nwindowTurns = 12';
    expect(refusalOf(text).message).toBe(
      "teamfuse.toml:3:1: key 'teams.small.speakerCycle.windowTurns': expected at least 20, for 10 rounds of a pair, received 12",
    );
  });

  it('[POL7] names the key alone where the options came from code', () => {
    const problem = { file: '', key: 'teams.x', expected: 'a section', received: 'nothing' };
    expect(new PolicyError(problem).message).toBe(
      "key 'teams.x': expected a section, received nothing",
    );
  });

  it('[POL7] names file, line, column, key, expected and received', () => {
    expect(refusalOf('# a comment\n[budget]\n  maxUSD = 6')).toMatchObject({
      code: 'INVALID_POLICY',
      file: 'teamfuse.toml',
      line: 3,
      column: 3,
      key: 'budget.maxUSD',
      expected: "a known option (did you mean 'maxUsd'?)",
      received: '6',
    });
  });

  it('[POL9] says of an option that only code can give how to give it', () => {
    expect(refusalOf('detectors = []').expected).toBe(
      'an option for files: pass this one in code, to breakerFromPolicy()',
    );
  });

  it.each([
    ['maxUsd = "$6"', 'maxUsd'],
    ['[teams.a]\nmaxUsd = "$6"', 'teams.a.maxUsd'],
  ])('[POL9] names the table that a key belongs into: %j', (text, key) => {
    const expected = "a known option (did you mean 'budget.maxUsd'?)";
    expect(refusalOf(text)).toMatchObject({ key, expected });
  });

  it.each([
    ['[prices.gpt-4.1]\ninputUsdPerMillion = 2\noutputUsdPerMillion = 8', 'prices.gpt-4.1'],
    ['[budget.models.gpt-4.1]\nmaxUsd = 1', 'budget.models.gpt-4.1'],
  ])('[POL9] asks for quotes around a name with a dot: %j', (text, key) => {
    const expected = 'quotes around a name with a dot ("gpt-4.1")';
    expect(refusalOf(text)).toMatchObject({ key, expected });
    const quoted = text.replace('gpt-4.1', '"gpt-4.1"');
    expect(parsePolicy(quoted, 'teamfuse.toml').file).toBe('teamfuse.toml');
  });

  it.each([
    'judge = 5',
    'judge = ""',
    '[judge]\naskAt = 2',
    '[judge]\nmaxShare = 0.2',
    'teams.a.judge = []',
  ])('[POL19] refuses %j as a judge', (text) => {
    expect(refusalOf(text).expected).toBe('true, false, or the name of a model');
  });

  it('[POL19] refuses a judge where excerpts are off, for every team', () => {
    const { line, key, expected } = refusalOf('excerpts = false\n[teams.a]\njudge = true');
    expect([line, key]).toEqual([3, 'teams.a.judge']);
    expect(expected).toContain('no judge with excerpts: false');
  });

  it.each([
    [
      '[teams.__proto__]\nmaxTurns = 7',
      "policy.toml:1:8: key 'teams.__proto__': expected another name",
    ],
    ['x = 1\n[agents."__proto__"]\nbudget.maxUsd = 1', "policy.toml:2:9: key 'agents.__proto__'"],
    ['budget.agents.__proto__.maxUsd = 1', "policy.toml:1:15: key 'budget.agents.__proto__'"],
    ['stopTexts = [{ text = "x", __proto__ = 1 }]', "key 'stopTexts.0.__proto__'"],
    ['__proto__ = 1', "key '__proto__'"],
  ])('[POL21] refuses a key that would be lost: %s', (text, message) => {
    expect(() => parsePolicy(text, 'policy.toml')).toThrow(message);
  });

  it('[POL21] takes other names that every object knows', () => {
    const { teams } = parsePolicy('[teams.constructor]\nmaxTurns = 7', 'policy.toml');
    expect(Object.keys(teams)).toEqual(['constructor']);
  });

  it('[POL10] says where a text is no TOML', () => {
    expect(refusalOf('maxTurns = 9\nmaxTurns = 10')).toMatchObject({
      line: 2,
      column: 1,
      received: 'trying to redefine an already defined table or value',
    });
  });

  it('[POL11] reads any text to a policy or a PolicyError', () => {
    const word = fc.constantFrom(
      ...['[', ']', '[[', ']]', '=', '.', '"', "'", '"""', '{', '}', ',', '#', '\n', ' ', '$6'],
      ...['budget', 'maxUsd', 'teams', '__proto__', 'constructor', 'rate', 'rates', '-1', 'inf'],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 24 }), (words) => {
        try {
          parsePolicy(words.join(''), 'teamfuse.toml');
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('[POL11] refuses a text of more than 100,000 characters', () => {
    expect(refusalOf(`#${'x'.repeat(100_000)}`).expected).toBe('at most 100000 characters');
  });
});

describe('the store of a gateway', () => {
  it('[POL23] is a text', () => {
    const { gateway } = parsePolicy('gateway.store = "redis://127.0.0.1"', 'teamfuse.toml');
    expect(gateway?.store).toBe('redis://127.0.0.1');
  });

  it.each(['store = ""', 'store = 1', 'store = ["redis://:secret@h"]', 'store.url = "secret"'])(
    '[POL23] is refused without being shown: %s',
    (line) => {
      const read = () => parsePolicy(`[gateway]\n${line}`, 'teamfuse.toml');
      expect(read).toThrow(
        /key 'gateway.store': expected redis:\/\/…, postgres:\/\/…, or the path/,
      );
      expect(read).not.toThrow(/secret/);
    },
  );
});

describe('the bounds of a gateway', () => {
  it('[POL25] are numbers', () => {
    const text = '[gateway.bounds]\nmaxMessages = 80_000\nmaxBytes = 1_000_000';
    const { gateway } = parsePolicy(text, 'teamfuse.toml');
    expect(gateway?.bounds).toEqual({ maxMessages: 80_000, maxBytes: 1_000_000 });
  });

  it.each([
    ['maxMessages = 0', "key 'gateway.bounds.maxMessages': expected a whole number from 1"],
    ['maxDepth = 1.5', "key 'gateway.bounds.maxDepth': expected a whole number from 1"],
    ['maxParts = "many"', "key 'gateway.bounds.maxParts': expected a whole number from 1"],
    ['maxMesages = 9', "did you mean 'maxMessages'?"],
  ])('[POL25] are refused if they are wrong: %s', (line, problem) => {
    const read = () => parsePolicy(`[gateway.bounds]\n${line}`, 'teamfuse.toml');
    expect(read).toThrow(problem);
  });
});

describe('the keys of a gateway', () => {
  const file = 'teamfuse.toml';

  it('[POL22] belong to teams', () => {
    const text = '[teams.sales]\n[gateway.keys]\nSALES_KEY = "sales"\n3f1c0a9b77de = "sales"';
    const { gateway } = parsePolicy(text, file);
    expect(gateway?.keys).toEqual({ SALES_KEY: 'sales', '3f1c0a9b77de': 'sales' });
  });

  it.each(['"sk-live-0123" = "sales"', 'sk_live_0123 = "sales"', 'SALES_KEY = 1'])(
    '[POL22] are refused without being shown: %s',
    (line) => {
      const read = () => parsePolicy(`[teams.sales]\n[gateway.keys]\n${line}`, file);
      expect(read).toThrow(/key 'gateway.keys': expected the first 12 to 64 digits of the SHA-256/);
      expect(read).not.toThrow(/0123/);
    },
  );

  it('[POL22] of a team without a section are refused', () => {
    const read = () => parsePolicy('[teams.sales]\n[gateway.keys]\nKEY = "slaes"', file);
    expect(read).toThrow("did you mean 'sales'");
  });
});
