import { describe, expect, it, vi } from 'vitest';
import * as kit from '../packages/adapter-kit/src/index.ts';
import { BREAKER_OPTION_NAMES } from '../packages/core/src/breaker/breaker-options.ts';
import * as core from '../packages/core/src/index.ts';
import { SIGNAL_FIELDS } from '../packages/core/src/signal/signal-fields.ts';
import { generateSignals } from '../packages/core/src/testing/index.ts';
import * as judge from '../packages/judge/src/index.ts';
import * as prices from '../packages/prices/src/index.ts';
import * as tokens from '../packages/tokens/src/index.ts';
import { hostileValues } from './hostile-values.ts';

vi.spyOn(console, 'warn').mockImplementation(() => {});
vi.spyOn(process, 'emitWarning').mockImplementation(() => {});

const now = (): number => 0;
const said = { kind: 'message', at: 0, agent: 'a', text: 'Hello there.' } as const;
const request = { kind: 'model-request', at: 0, agent: 'a', model: 'm', requestId: 'r' } as const;
const usage = { inputTokens: 1, outputTokens: 1 };
const amount = { nanoUsd: 1, tokens: 1 };
const origin = { at: 0, agent: 'a' };
const block = { code: 'x', language: 'python' };
const breaker = (): core.Breaker => new core.Breaker({ now });
const tripped = (): core.Trip => new core.Breaker({ now }).stop('enough');

/** For each thing that can be called: how to make it, and arguments that fit. */
interface Callable {
  readonly name: string;
  readonly call: (args: readonly unknown[]) => unknown;
  readonly args: readonly unknown[];
}
type AnyFunction = (...args: readonly unknown[]) => unknown;
type AnyClass = new (...args: readonly unknown[]) => object;

/** Arguments that fit, by the name of the export or method; where there are none, two are missing. */
const ARGUMENTS: Readonly<Record<string, () => readonly unknown[]>> = {
  Analyzer: () => [{}],
  'Analyzer.observe': () => [said],
  Breaker: () => [{ now }],
  'Breaker.observe': () => [said],
  'Breaker.admit': () => [request, {}],
  'Breaker.run': () => [request, () => 1, {}],
  'Breaker.on': () => ['trip', () => {}],
  'Breaker.trackCost': () => [1, 'a'],
  Budget: () => [{ maxUsd: 1 }, now],
  'Budget.request': () => [request, 1, ''],
  'Budget.release': () => [request, ''],
  'Budget.settle': () => [{ ...request, ...usage, kind: 'usage', costUsd: 1 }, amount, ''],
  'Budget.track': () => [amount, 'a'],
  BreakerError: () => ['TRIPPED', 'message', {}],
  ContextWindow: () => [{ maxContextTokens: 9 }],
  'ContextWindow.check': () => [request, 1],
  InvalidOptionError: () => ['option', 'a number', 1],
  InvalidSignalError: () => ['field', 'a number', 1],
  InvalidSnapshotError: () => ['field', 'a number', 1],
  GuardInstallError: () => ['target', 'a method', {}],
  TrippedError: () => [tripped(), {}],
  LoopDetectedError: () => [tripped(), {}],
  BudgetExceededError: () => [tripped(), {}],
  ContextWindowExceededError: () => [tripped(), {}],
  'FunctionGuard.wrap': () => [() => 1, 'one'],
  'FunctionGuard.raise': () => [{ maxUsd: 1 }],
  MemoryBudgetStore: () => [amount, { now }],
  'MemoryBudgetStore.reserve': () => ['r', amount, {}],
  'MemoryBudgetStore.settle': () => ['r', amount],
  checkNames: () => ['', {}, { a: true }],
  costInUsd: () => [new prices.PriceList({}), 'm', usage],
  estimateTokens: () => ['text'],
  explain: () => [tripped()],
  guard: () => [() => 1, {}],
  guardAll: () => [{ one: () => 1 }, {}],
  isTripped: () => [new Error('no')],
  parseSignal: () => [said],
  readJson: () => ['{}'],
  redactSecrets: () => ['text'],
  toJson: () => [{}],
  transition: () => [core.CLOSED, { type: 'reset' }, 0, 0],
  modelJudge: () => [async () => '', {}],
  questionMessages: () => [{ task: '', signals: [said], kind: 'repetition' }],
  GenaiPriceBook: () => [{ now }],
  'GenaiPriceBook.price': () => ['gpt-4o', usage],
  'GenaiPriceBook.contextWindow': () => ['gpt-4o'],
  PriceError: () => ['INVALID_USAGE', 'message'],
  PriceList: () => [{}, new prices.PriceList({})],
  'PriceList.price': () => ['m', usage],
  toUsd: () => [{ nanoUsd: 1 }],
  'EstimatingCounter.count': () => ['text'],
  'EstimatingCounter.countMessages': () => [[{ content: 'text', name: 'a' }]],
  loadTokenCounter: () => ['llama'],
  ConversationPool: () => [breaker()],
  GuardContext: () => [breaker(), {}],
  OutermostRun: () => [new kit.ConversationPool(breaker())],
  after: () => [1, () => 2],
  checkBreaker: () => ['team', breaker()],
  checkOptions: () => [{}],
  describe: () => [1],
  executionSignal: () => [origin, block, { exitCode: 0, output: '' }],
  installGuard: () => [new kit.GuardContext(breaker()), { install: () => [], remove: () => {} }],
  isPromise: () => [1],
  joinBlocks: () => [[block]],
  originOf: () => ['a', 0, 0],
  overlay: () => [{}, {}],
  safePrices: () => [new prices.PriceList({}), () => {}],
  showWarning: () => [{ during: 'observe', error: new Error('no') }],
  signalError: () => [new Error('no')],
  tripIn: () => [new Error('no')],
};

function callables(exports: object): Callable[] {
  return Object.entries(exports).flatMap(([name, value]): Callable[] => {
    if (typeof value !== 'function') return [];
    if (!/^class\b/.test(String(value))) {
      const args = ARGUMENTS[name]?.() ?? [];
      return [{ name, args, call: (given) => (value as AnyFunction)(...given) }];
    }
    const args = ARGUMENTS[name]?.() ?? [undefined];
    const type = value as unknown as AnyClass;
    const make: Callable = { name, args, call: (given) => new type(...given) };
    const methods = methodsOf(type.prototype).map((method): Callable => {
      const full = `${name}.${method}`;
      return {
        name: full,
        args: ARGUMENTS[full]?.() ?? [undefined],
        call: (given) => {
          const instance = new type(...args) as Record<string, AnyFunction>;
          return instance[method]?.(...given);
        },
      };
    });
    return [make, ...methods];
  });
}

function methodsOf(prototype: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
    .map(([name]) => name);
}

const PACKAGES = { core, judge, prices, tokens, kit };
const OURS = [core.BreakerError, prices.PriceError, tokens.TokenError];
const MAX_MESSAGE = 1000;

/**
 * What is not for values from outside: folds and books take what the breaker has checked, errors are made by us, and the
 * steps of the kit take what the types of an adapter say.
 */
const EXEMPT = [
  /^core (Analyzer|\w+Detector)\.(observe|restore)$/,
  /^core (Budget|ContextWindow|MemoryBudgetStore)\b(?!$)/,
  /^core MemoryBudgetStore$/,
  /^core transition$/,
  /Error$/,
  /^tokens BytePairCounter/,
  /^kit (ConversationPool|GuardContext|OutermostRun|ModelCall|TapSet|BoundedMap)\b(?!$)/,
  /^kit (OutermostRun|ModelCall|TapSet|after|installGuard|overlay|executionSignal|joinBlocks|originOf)$/,
  /^kit (askPerson|callModel|callTool|runCode|runNested|runTeam|stopOf|takeTurn|rehearse|replaceMember)$/,
  /^kit showWarning$/,
];
/** Functions of the user's own, whose errors are theirs. */
const OWN_FUNCTIONS = ['core Breaker.run #1'];

/** What an error has against it: that it is not ours, or too long. */
function fault(error: unknown): string | undefined {
  if (!OURS.some((type) => error instanceof type)) return `untyped: ${Object(error).stack}`;
  const { message } = error as Error;
  return message.length > MAX_MESSAGE ? `too long: ${message.length} characters` : undefined;
}

async function faultOf(call: () => unknown): Promise<string | undefined> {
  try {
    const result = call();
    if (kit.isPromise(result)) await Promise.race([result, new Promise(setImmediate)]);
    return undefined;
  } catch (error) {
    return fault(error);
  }
}

describe.each(Object.entries(PACKAGES))('the exports of %s', (name, exports) => {
  const all = callables(exports).filter(
    (one) => !EXEMPT.some((own) => own.test(`${name} ${one.name}`)),
  );

  it.each(all)('[HOUSE6] $name takes hostile values or refuses them by type', async (callable) => {
    const { args, call } = callable;
    const faults: string[] = [];
    for (const place of args.keys()) {
      const isOwn = OWN_FUNCTIONS.includes(`${name} ${callable.name} #${place}`);
      for (const [hostile, value] of hostileValues()) {
        if (isOwn && typeof value === 'function') continue;
        const found = await faultOf(() => call(args.map((arg, i) => (i === place ? value : arg))));
        if (found !== undefined) faults.push(`argument ${place}, ${hostile}: ${found}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

const DETECTION = ['speakerCycle', 'repetition', 'executionStorm', 'historyDrift', 'nestedCascade'];
const NESTED: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(DETECTION.map((name) => [name, ['limit', 'stopAt', 'nudge', 'ratio']])),
  rate: ['limit', 'pauseMs', 'refusals', 'rates'],
  analysis: ['volatileFields', 'tools', 'horizonTurns', 'waitMs'],
  samePair: ['times', 'windowTurns'],
  judge: ['confirm', 'askAt', 'stopFrom', 'maxQuestions', 'blocking'],
  contextWindow: ['maxContextTokens', 'headroom'],
};

describe('the options of a breaker', () => {
  it.each(Object.keys(BREAKER_OPTION_NAMES))(
    '[HOUSE7] takes %s or refuses it by type',
    async (name) => {
      const faults: string[] = [];
      for (const path of [[name], ...(NESTED[name] ?? []).map((inner) => [name, inner])]) {
        for (const [hostile, value] of hostileValues()) {
          const options = path.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
          const found = await faultOf(() => new core.Breaker(options as core.BreakerOptions));
          if (found !== undefined) faults.push(`${path.join('.')}, ${hostile}: ${found}`);
        }
      }
      expect(faults).toEqual([]);
    },
  );
});

describe('the fields of signals', () => {
  it.each([...SIGNAL_FIELDS])(
    '[HOUSE8] of kind %s are taken or refused by type',
    async (kind, fields) => {
      const valid = generateSignals(1, 300).find((signal) => signal.kind === kind);
      const faults: string[] = [];
      for (const { name } of fields) {
        for (const [hostile, value] of hostileValues()) {
          const signal = { ...valid, [name]: value } as unknown as core.Signal;
          const breaker = new core.Breaker({ now });
          const calls = [
            () => breaker.observe(signal),
            () => breaker.admit(signal as core.AdmissionRequest),
            () => breaker.snapshot(),
          ];
          for (const call of calls) {
            const found = await faultOf(call);
            if (found !== undefined) faults.push(`${name}, ${hostile}: ${found}`);
          }
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
