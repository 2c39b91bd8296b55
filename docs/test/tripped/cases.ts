import type { Breaker, BreakerOptions, Confirm, Signal } from '@teamfuse/core';
import type { Detector } from '@teamfuse/core/detectors';

/** A conversation that trips, and what it trips with. */
export interface Case {
  readonly options: BreakerOptions;
  /** Whose conversation it is, if a tenant's. */
  readonly user?: string;
  /** Feeds the breaker, until it has tripped. */
  play(breaker: Breaker): void | Promise<void>;
}

type Given = { readonly [K in Signal['kind']]: Omit<Extract<Signal, { kind: K }>, 'kind' | 'at'> };

/** The nth signal of a conversation, a minute after the one before. */
function signal<K extends Signal['kind']>(
  kind: K,
  n: number,
  given: Given[K],
  everyMs = 60_000,
): Signal {
  return { kind, at: n * everyMs, ...given } as unknown as Signal;
}

function play(times: number, make: (n: number) => Signal): Case['play'] {
  return (breaker) => {
    for (let n = 0; n < times && breaker.conversation().trip === undefined; n++)
      breaker.observe(make(n));
  };
}

const FRESH = [
  'harbour',
  'violin',
  'glacier',
  'pepper',
  'lantern',
  'meadow',
  'copper',
  'walrus',
  'saffron',
  'tunnel',
];
const fresh = (n: number): string =>
  `${FRESH[n % 10]} ${FRESH[(3 * n + 1) % 10]}${n} ${FRESH[(7 * n + 2) % 10]}s${n}`;
const said = (n: number, agent = 'writer'): Signal =>
  signal('message', n, { agent, text: `Finding ${n}: ${fresh(n)}, see chapter ${n * n + 3}.` });
const THANKS = ['Thank you so much, what a pleasure.', 'No, thank you, the pleasure is mine.'];
const thanks = (n: number): Signal =>
  signal('message', n, {
    agent: n % 2 === 0 ? 'writer' : 'critic',
    text: THANKS[n % 2] as string,
  });
const WORDS = 'well thank you so very much what a pleasure it has been this time'.split(' ');
/** The same words in ever other orders. */
const jumbled = (n: number, agent = n % 2 === 0 ? 'writer' : 'critic'): Signal => {
  const from = (n * 3) % WORDS.length;
  const text = [...WORDS.slice(from), ...WORDS.slice(0, from)].join(' ');
  return signal('message', n, { agent, text });
};
const called = (n: number, tool: string, args: object, result: string): Signal =>
  signal('tool-call', n, { agent: 'clerk', tool, args: args as never, result }, 1_000);
const failed = (n: number, tool: string, message: string, everyMs?: number): Signal =>
  signal(
    'tool-call',
    n,
    { agent: 'clerk', tool, args: { n }, error: { message } as never },
    everyMs,
  );
const refused = (n: number, tool: string): Signal =>
  signal('tool-call', n, {
    ...{ agent: 'clerk', tool, args: { n }, executed: false },
    error: { code: 'TEAMFUSE_REFUSED', message: `the limit of calls of '${tool}' is reached` },
  });
const used = (n: number, inputTokens: number, model = 'gpt-4o'): Signal =>
  signal('usage', n, { agent: 'critic', model, inputTokens, outputTokens: 10, costUsd: 1 });
const spend = play(9, (n) => used(n, 1_000));
const only: BreakerOptions = { speakerCycle: false, historyDrift: false };

class Shouting implements Detector {
  readonly kind = 'custom:shouting';
  observe(): ReturnType<Detector['observe']> {
    const evidence = { agents: ['writer'], indices: [0], count: 1, limit: 1, subject: 'HELLO' };
    return { level: 'trip', kind: this.kind, reason: 'the writer shouts', evidence };
  }
  reset(): void {}
  snapshot(): null {
    return null;
  }
  restore(): void {}
}

/** The judge of the last row: in doubt. */
export const judge: Confirm = () => ({ probability: 0.5, reason: 'They thank each other.' });

/** One case for each row of the guide, in its order. */
export const CASES: readonly Case[] = [
  { options: {}, play: play(9, thanks) },
  { options: {}, play: play(12, (n) => jumbled(n)) },
  { options: only, play: play(6, (n) => called(n, 'job_status', { id: 7 }, 'running')) },
  {
    options: { ...only, analysis: { tools: { search: { loopKey: () => 'alike' } } } },
    play: play(4, (n) => called(n, 'search', { query: FRESH[n] }, 'no hits')),
  },
  {
    options: only,
    play: play(9, (n) => called(n, n % 2 === 0 ? 'write_file' : 'read_file', { path: 'a' }, 'ok')),
  },
  {
    options: only,
    play: play(6, (n) =>
      signal('message', n, { agent: 'writer', text: 'I will now begin to write the report.' }),
    ),
  },
  { options: {}, play: play(12, (n) => jumbled(n, 'writer')) },
  { options: only, play: play(6, (n) => failed(n, 'python', "KeyError: 'total'")) },
  {
    options: { ...only, repetition: false },
    play: play(6, (n) => called(n, 'check', {}, '{"exitCode": 1, "stdout": ""}')),
  },
  {
    options: only,
    play: play(6, (n) => ({ ...failed(n, 'python', "KeyError: 'total'"), args: {} }) as Signal),
  },
  { options: { repetition: false, speakerCycle: false }, play: play(7, grown) },
  { options: { repetition: false, speakerCycle: false }, play: play(7, grown) },
  { options: { ...only, repetition: false }, play: play(24, reviewed) },
  { options: only, play: play(9, deeper) },
  {
    options: { executionStorm: false, repetition: false },
    play: play(9, (n) => failed(n, 'fetch_page', '503', 10)),
  },
  {
    options: { ...only, rate: { rates: [{ signal: 'tool-call', max: 3, perMs: 60_000 }] } },
    play: play(9, (n) => called(n, 'search', { n }, fresh(n))),
  },
  {
    options: { repetition: false, speakerCycle: false },
    play: play(60, (n) => (n % 2 === 0 ? said(n, 'clerk') : refused(n, 'search'))),
  },
  { options: { budget: { maxUsd: 6 } }, play: spend },
  { options: { budget: { maxTokens: 5_000 } }, play: spend },
  {
    options: { budget: { agents: { critic: { maxUsd: 1.5 } } } },
    play: play(2, (n) => used(n, 1_000)),
  },
  {
    options: { budget: { models: { 'gpt-4o': { maxUsd: 1.5 } } } },
    play: play(2, (n) => used(n, 1_000)),
  },
  {
    options: { budget: { users: { ann: { maxUsd: 1.5 } } } },
    user: 'ann',
    play: play(2, (n) => used(n, 1_000)),
  },
  {
    options: {
      now: () => Date.UTC(2026, 10, 26, 12),
      budget: { users: { ann: { perDay: { maxUsd: 1.5 } } } },
    },
    user: 'ann',
    play: play(2, (n) => used(n, 1_000)),
  },
  {
    options: { budget: { perConversation: { maxUsd: 1.5 } } },
    play: play(2, (n) => used(n, 1_000)),
  },
  {
    options: { contextWindow: { maxContextTokens: 8_000 } },
    play: async (breaker) => {
      await breaker.admit(
        signal('model-request', 0, {
          agent: 'critic',
          model: 'gpt-4o',
          inputTokens: 9_000,
        }) as never,
      );
    },
  },
  { options: { maxMessages: 9 }, play: play(9, said) },
  { options: { maxTurns: 9 }, play: play(9, said) },
  { options: { maxModelCalls: 9 }, play: play(9, (n) => used(n, 100)) },
  { options: { maxToolCalls: 9 }, play: play(9, (n) => called(n, 'search', { n }, fresh(n))) },
  {
    options: { limits: { tools: { search: { maxCalls: 8 } } } },
    play: play(9, (n) => called(n, 'search', { n }, fresh(n))),
  },
  {
    options: { executionStorm: { maxInARow: 4 } },
    play: play(4, (n) => failed(n, 'python', `${fresh(n)}`)),
  },
  {
    options: { speakerCycle: { samePair: { times: 4 } } },
    play: play(12, (n) => said(n, n % 2 === 0 ? 'writer' : 'critic')),
  },
  { options: { historyDrift: { maxTokens: 9_000 } }, play: play(1, (n) => used(n, 10_000)) },
  { options: { maxRunMs: 300_000 }, play: play(9, said) },
  {
    options: { analysis: { tools: { job_status: { polls: { maxWaitMs: 5_000 } } } } },
    play: play(9, (n) => called(n, 'job_status', { id: 7 }, 'running')),
  },
  {
    options: { stopTexts: [{ text: 'DONE' }] },
    play: play(1, (n) => signal('message', n, { agent: 'writer', text: 'DONE' })),
  },
  { options: {}, play: (breaker) => void breaker.stop('enough') },
  { options: { detectors: [() => new Shouting()] }, play: play(1, said) },
  {
    options: { judge },
    play: async (breaker) => {
      for (let n = 0; n < 12 && breaker.conversation().trip === undefined; n++) {
        breaker.observe(jumbled(n));
        await breaker.conversation().answered();
      }
    },
  },
];

function grown(n: number): Signal {
  const answers = Array.from({ length: n + 1 }, (_, i) => `Answer ${n - i}: ${fresh(n - i)}.`);
  const text = answers.join('\n\n');
  return signal('message', n, { agent: n % 2 === 0 ? 'writer' : 'critic', text });
}

function reviewed(n: number): Signal {
  const id = `review-${n >> 1}`;
  if (n % 2 === 0) {
    return signal('nested-start', n, {
      agent: 'writer',
      chatId: id,
      trigger: 'review',
      depth: 1,
      path: [id],
      text: 'Review it.',
    } as never);
  }
  return signal('nested-end', n, {
    agent: 'writer',
    chatId: id,
    depth: 1,
    path: [id],
    text: 'It needs another review.',
  } as never);
}

function deeper(n: number): Signal {
  const path = Array.from({ length: n + 1 }, (_, i) => `chat-${i}`);
  return signal('nested-start', n, {
    agent: 'writer',
    chatId: `chat-${n}`,
    trigger: `level ${n}`,
    depth: n + 1,
    path,
    text: fresh(n),
  } as never);
}
