import * as core from '../../packages/core/src/index.ts';
import * as prices from '../../packages/prices/src/index.ts';
import { MemoryHistoryStore } from '../../packages/stores/src/history/index.ts';

type Rows = Readonly<Record<string, () => readonly unknown[]>>;

const now = (): number => 0;
const said = { kind: 'message', at: 0, agent: 'a', text: 'Hello there.' } as const;
const request = { kind: 'model-request', at: 0, agent: 'a', model: 'm', requestId: 'r' } as const;
const usage = { inputTokens: 1, outputTokens: 1 };
const cost = { nanoUsd: 1, tokens: 1, unpricedTokens: 0, isEstimate: false };
const record = { task: 'report', at: 0, outcome: 'completed', cost } as const;
const suspicion = { score: 1, kind: 'repetition', since: 0, newsAt: -1, agents: ['a'] } as const;
const policy = { file: 'teamfuse.toml', text: '', options: {}, teams: {} };
const amount = { nanoUsd: 1, tokens: 1 };
const store = new MemoryHistoryStore();
const breaker = (): core.Breaker => new core.Breaker({ now });
const tripped = (): core.Trip => breaker().stop('enough');
const member = {
  name: 'a',
  description: '',
  producedMessageTypes: [],
  onMessages: async () => ({}),
  async *onMessagesStream() {},
  onReset: async () => {},
};

/** Arguments that fit, one for each parameter, of everything that published packages export and that takes input. */
export const FITTING: Readonly<Record<string, Rows>> = {
  core: {
    Analyzer: () => [{}, String, String],
    BoundedMap: () => [2],
    Breaker: () => [{ now }, undefined, undefined],
    'Breaker.conversation': () => ['run 1'],
    'Breaker.observe': () => [said],
    'Breaker.admit': () => [request, {}],
    'Breaker.run': () => [request, () => 1, {}],
    'Breaker.trackCost': () => [1, 'a'],
    'Breaker.raise': () => [{}],
    'Breaker.adjust': () => [{}],
    'Breaker.for': () => [{ user: 'ann' }],
    'Breaker.stop': () => ['enough'],
    'Breaker.on': () => ['trip', () => {}],
    'Breaker.restore': () => [breaker().snapshot()],
    ContextWindow: () => [{ maxContextTokens: 9 }],
    MemoryBudgetStore: () => [amount, { now }],
    FunctionGuard: () => [{}],
    'FunctionGuard.raise': () => [{ maxUsd: 1 }],
    'FunctionGuard.wrap': () => [() => 1, 'one'],
    ExecutionStormDetector: () => [{}, { factor: 1, laps: 3 }],
    HistoryDriftDetector: () => [{}, { factor: 1, laps: 3 }],
    LimitDetector: () => [{}],
    NestedCascadeDetector: () => [{}, { factor: 1, laps: 3 }],
    RateDetector: () => [{}, { factor: 1, laps: 3 }],
    RepetitionDetector: () => [{}, { factor: 1, laps: 3 }, { min: 1, max: 8 }],
    SpeakerCycleDetector: () => [{}, { factor: 1, laps: 3 }],
    checkJudge: () => [true],
    checkNames: () => ['', { a: 1 }, { a: true }, 'options.md'],
    askedOf: () => [[{}]],
    costInUsd: () => [new prices.PriceList({}), 'm', usage],
    priceBookOf: () => [{}, new prices.PriceList({})],
    estimateTokens: () => ['text'],
    expectedName: () => ['tokns', ['tokens'], 'option', 'options.md'],
    functionOf: () => ['option', () => 1],
    explain: () => [tripped()],
    guard: () => [() => 1, {}],
    guardAll: () => [{ one: () => 1 }, {}],
    guardOf: () => [() => 1],
    isTripped: () => [new Error('no')],
    partMark: () => [{}],
    parseSignal: () => [said],
    readJson: () => ['{}'],
    readUsage: () => [usage],
    redactJson: () => [{ text: 'a' }, (text: string) => text],
    redactSecrets: () => ['text'],
    streams: () => [breaker()],
    suspicionLimit: () => [{}, suspicion],
    toJson: () => [{}],
  },
  judge: {
    modelJudge: () => [async () => '', {}],
    questionMessages: () => [{ task: '', signals: [said], kind: 'repetition' }],
  },
  prices: {
    GenaiPriceBook: () => [{ now }],
    'GenaiPriceBook.price': () => ['gpt-4o', usage],
    'GenaiPriceBook.contextWindow': () => ['gpt-4o'],
    PriceList: () => [{}, new prices.PriceList({})],
    'PriceList.price': () => ['m', usage],
    toUsd: () => [{ nanoUsd: 1 }],
  },
  tokens: {
    'EstimatingCounter.count': () => ['text'],
    'EstimatingCounter.countMessages': () => [[{ content: 'text', name: 'a' }]],
    'BytePairCounter.load': () => ['o200k_base'],
    loadTokenCounter: () => ['llama'],
  },
  config: {
    breakerFromPolicy: () => [policy, {}],
    findPolicy: () => ['.'],
    loadPolicy: () => [{ cwd: '.' }],
    parsePolicy: () => ['', 'teamfuse.toml'],
    policyFor: () => [policy, 'default'],
  },
  install: {
    installOn: () => [() => 1, policy, {}],
  },
  recorder: {
    Recorder: () => ['recording.jsonl', {}],
    'Recorder.add': () => [breaker()],
    recordTo: () => [breaker(), 'recording.jsonl', {}],
  },
  stores: {
    PostgresBudgetStore: () => [{}, {}],
    PostgresCircuitStore: () => [{}, {}],
    PostgresConversationStore: () => [{}, {}],
    migrate: () => [{}],
    RedisBudgetStore: () => [{}, {}],
    RedisCircuitStore: () => [{}, {}],
    RedisConversationStore: () => [{}, {}],
    FileHistoryStore: () => ['history.json', {}],
    MemoryCircuitStore: () => [{ now }],
    RunHistory: () => [breaker(), { store, task: 'report' }],
    SqliteBudgetStore: () => ['budget.db', {}],
    SqliteHistoryStore: () => ['history.db', {}],
    parseRunRecord: () => ['run', record],
    preflight: () => [store, { task: 'report' }],
    runInConversation: () => [
      breaker(),
      { store: { load: () => undefined, save: () => 'a' }, id: 'chat' },
      () => 1,
    ],
    runWithHistory: () => [breaker(), { store, task: 'report' }, () => 1],
    shared: () => [{ apply: () => {}, follow: () => {} }],
  },
  wire: {
    createGateway: () => [{ upstream: 'http://127.0.0.1:9', breaker: breaker() }],
    guardFetch: () => [breaker(), {}],
    tripOf: () => [new Error('no')],
  },
  cli: {
    mappedFormat: () => ['map.toml'],
    openInput: () => ['none.jsonl', { broken: () => {} }],
    readRecordings: () => ['none.jsonl', { broken: () => {} }],
    watch: () => [breaker(), {}],
  },
  'adapter-kit': {
    ConversationPool: () => [breaker(), ''],
    GuardContext: () => [breaker(), {}, {}],
    checkBreaker: () => ['team', breaker()],
    checkOptions: () => [{}, breaker()],
    describe: () => [1],
    isModel: () => [{}],
    taskIn: () => ['Look.'],
    tripIn: () => [new Error('no')],
  },
  'adapter-ai-sdk': {
    breakerTelemetry: () => [breaker(), {}],
    guardAgent: () => [{}, breaker(), {}],
    guardModel: () => [{}, breaker(), {}],
    guardTools: () => [{}, breaker(), {}],
    isAgent: () => [{}],
    isModel: () => [{}],
    isToolSet: () => [{}],
    tripOf: () => [{}],
    tripped: () => [breaker()],
    unguardCalls: () => [{}],
  },
  'adapter-langchain': {
    guardGraph: () => [{}, breaker(), {}],
    guardMiddleware: () => [breaker(), {}],
    isAgent: () => [{}],
    isGraph: () => [{}],
    tripOf: () => [{}],
  },
  'adapter-mastra': {
    guardAgent: () => [{}, breaker(), {}],
    isAgent: () => [{}],
    tripOf: () => [{}],
  },
  'adapter-mcp': {
    guardClient: () => [{}, breaker(), {}],
    isClient: () => [{}],
  },
  'adapter-openai-agents': {
    guardRunner: () => [{}, breaker(), {}],
    historyOf: () => [{}],
    isRunner: () => [{}],
    tripOf: () => [{}],
  },
  notify: {
    notifyTrips: () => [breaker(), { url: 'http://127.0.0.1:9' }],
  },
  otel: {
    instrumentBreaker: () => [breaker(), {}],
  },
  'adapter-agentchat': {
    BreakerTermination: () => [breaker(), {}],
    ExecutionStormTermination: () => [{}],
    GuardedAgent: () => [member, breaker(), {}],
    HistoryDriftTermination: () => [{}],
    NestedCascadeTermination: () => [{}],
    RepetitionTermination: () => [{}],
    SpeakerCycleTermination: () => [{}],
    guardTeam: () => [{}, breaker(), {}],
    isChatAgent: () => [member],
    isGuardableTeam: () => [{}],
  },
  'adapter-groupchat': {
    guardAgents: () => [[], breaker(), {}],
    isGuardableAgent: () => [{}],
  },
};

/** Functions of the user's own, whose errors are theirs: the name, and the place among the arguments. */
export const OWN_FUNCTIONS: readonly string[] = [
  'core Breaker.run #1',
  'stores runInConversation #2',
  'stores runWithHistory #2',
  'core redactJson #1',
];
