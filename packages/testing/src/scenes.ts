import type { Signal } from '@teamfuse/core';
import type { SeededRandom } from './seeded-random.ts';
import { words } from './words.ts';

/** What a scene is made with. */
export interface Stage {
  readonly random: SeededRandom;
  /** Lets so many milliseconds pass and gives the time. */
  readonly after: (ms: number) => number;
}

/** A stretch of a run: work, or a loop that a detector is there for. */
export type Scene = (stage: Stage) => Signal[];

const FRESH = 100_000;

/** Two agents that get on: ever new words, and code that runs. */
const work: Scene = ({ random, after }) =>
  repeat(4, () => [
    { kind: 'message', at: after(900), agent: 'coder', text: words(random, 30, FRESH) },
    {
      kind: 'execution',
      at: after(300),
      agent: 'runner',
      language: 'python',
      code: words(random, 12, FRESH),
      exitCode: 0,
      output: `${words(random, 8, FRESH)} ${random.below(FRESH)}`,
    },
  ]);

const politeness: Scene = ({ random, after }) =>
  repeat(9, (i) => [
    {
      kind: 'message',
      at: after(800),
      agent: i % 2 === 0 ? 'ann' : 'bob',
      text: random.pick([
        'Thank you so much!',
        'No, thank you!',
        'Thank you again.',
        'You are welcome.',
      ]),
    },
  ]);

const sameCall: Scene = ({ after }) =>
  repeat(6, () => [
    {
      kind: 'tool-call',
      at: after(700),
      agent: 'ann',
      tool: 'orders',
      args: { open: true },
      result: [],
    },
  ]);

const sameOutcome: Scene = ({ random, after }) =>
  repeat(8, () => [
    {
      kind: 'message',
      at: after(900),
      agent: 'coder',
      text: `\`\`\`\n${words(random, 9, 60)}\n\`\`\``,
    },
    { kind: 'message', at: after(900), agent: 'runner', text: `${words(random, 3, 6)} gives 4711` },
  ]);

const sameResult: Scene = ({ random, after }) => {
  const rows = Array.from({ length: 9 }, () => `${words(random, 4, FRESH)} ${random.below(FRESH)}`);
  return repeat(5, () => {
    const text = `Please show me all the figures of ${words(random, 1, FRESH)} in one table.`;
    return [
      { kind: 'message', at: after(900), agent: 'ann', text },
      { kind: 'message', at: after(900), agent: 'bob', text: rows.join('\n') },
    ];
  });
};

const storm: Scene = ({ random, after }) =>
  repeat(6, (i) => [
    {
      kind: 'execution',
      at: after(1200),
      agent: 'runner',
      language: 'python',
      code: words(random, 6, FRESH),
      exitCode: 1,
      output: `File "main.py", line ${i}\nKeyError: 'revenue'`,
    },
  ]);

const hammering: Scene = ({ after }) =>
  repeat(7, () => [
    {
      kind: 'tool-call',
      at: after(20),
      agent: 'ann',
      tool: 'fetch',
      args: { page: 1 },
      error: { message: 'Too Many Requests', code: '429' },
      executed: false,
    },
  ]);

const quoting: Scene = ({ random, after }) => {
  let quoted = words(random, 6, 40);
  return repeat(14, (i) => {
    quoted = i < 5 ? quoted : `${quoted} ${quoted}`.slice(0, 6000);
    const agent = i % 2 === 0 ? 'ann' : 'bob';
    const inputTokens = 100 + quoted.length * i;
    return [
      {
        kind: 'usage',
        at: after(500),
        agent,
        model: 'm',
        inputTokens,
        outputTokens: 9,
        costUsd: 0.01,
      },
      { kind: 'message', at: after(10), agent, text: quoted },
    ];
  });
};

const cascade: Scene = ({ after }) =>
  repeat(6, () => [
    {
      kind: 'nested-start',
      at: after(400),
      agent: 'lead',
      chatId: 'review',
      depth: 1,
      path: ['main', 'review'],
      trigger: 'reply:critic',
      text: 'Please review it.',
    },
    {
      kind: 'nested-end',
      at: after(400),
      agent: 'lead',
      chatId: 'review',
      depth: 1,
      path: ['main', 'review'],
    },
  ]);

const person: Scene = ({ random, after }) => [
  {
    kind: 'human-input',
    at: after(5000),
    agent: 'user',
    text: words(random, 8, FRESH),
    waitedMs: 4000,
  },
];

/** All scenes. */
export const SCENES: readonly Scene[] = [
  work,
  politeness,
  sameCall,
  sameOutcome,
  sameResult,
  storm,
  hammering,
  quoting,
  cascade,
  person,
];

/** A team that shows the same outcome for ever, in ever new words. */
export const STUCK: Scene = sameOutcome;

function repeat(times: number, round: (i: number) => readonly Signal[]): Signal[] {
  return Array.from({ length: times }, (_, i) => round(i)).flat();
}
