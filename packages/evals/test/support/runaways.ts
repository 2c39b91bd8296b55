import type { Signal } from '@teamfuse/core';

/** A signal without its time. */
type Step = { [K in Signal['kind']]: Omit<Extract<Signal, { kind: K }>, 'at'> }[Signal['kind']];

/** A conversation, and the step at which it is stopped, and for what, if it is: by default, and with the classic preset. */
export interface Runaway {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly stop?: string;
  readonly classic?: string;
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const nth = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;
const say = (agent: string, text: string): Step => ({ kind: 'message', agent, text });

const ASKS = [
  'Please make the introduction clearer for our readers.',
  'Could you tighten it a little more?',
  'It still lacks something, have another go.',
  'I would like it to flow better, please revise.',
  'Nearly there, polish it once again.',
  'Try to make it more engaging.',
  'The opening should be stronger.',
  'Maybe a warmer tone would help.',
];
const DRAFT =
  'Tidal power turns the steady rise and fall of the sea into electricity, and it can be predicted years ahead, which makes it a calm companion to wind and sun.';
const SITES = ['Rance', 'Sihwa', 'Fundy', 'Swansea', 'Pentland', 'Severn', 'Kislaya', 'Jiangxia'];
const CHAPTERS = [
  'The lamp keeper climbed the narrow stairs at dusk and counted gulls over the quiet harbour wall while rain gathered beyond the islands.',
  'Below, his sister mended nets beside the stove, humming the ballad their grandmother brought from the northern fishing villages long ago.',
  'A stranger knocked, soaked and shivering, carrying a brass compass whose needle spun without rest under the cracked glass cover.',
  'They fed him barley soup; he spoke of drowned orchards, bells beneath the waves, and merchants who paid in pearls and silence.',
  'At midnight the beacon failed, and the three of them hauled oil through knee deep water to relight its tired wick.',
  'Morning showed wreckage on the sandbar, barrels, splintered oars, and one unbroken mirror facing the pale indifferent sky.',
  'The compass finally settled, pointing inland towards hills nobody had crossed since the monastery closed its weathered gates.',
  'So they packed bread, rope and courage, leaving the lighthouse to the gulls that had always considered it theirs.',
];

/** Fifteen messages of two who write together. */
function writing(ask: (i: number) => string, draft: (i: number) => string): Step[] {
  return times(15, (i) =>
    i % 2 === 0 ? say('researcher', ask(i / 2)) : say('writer', draft((i - 1) / 2)),
  );
}

function run(code: string, output: string, exitCode = 1): Step {
  const base = { kind: 'execution', agent: 'executor', language: 'python' } as const;
  return { ...base, code, exitCode, output, durationMs: 300 };
}

/** What Python prints where a module is missing. */
function missing(line: number, name: string): string {
  return `Traceback (most recent call last):\n  File "/tmp/job.py", line ${line}, in <module>\n    ${name}()\n  File "/tmp/job.py", line ${line - 3}, in ${name}\n    import pandas\nModuleNotFoundError: No module named 'pandas'\n`;
}

const FUNCTIONS = 'load read fetch open_table get take pull draw scan parse init start'.split(' ');
const ERRORS = [
  "KeyError: 'a'",
  'ZeroDivisionError: division by zero',
  'TypeError: unsupported operand',
  'ValueError: bad literal',
  'IndexError: list index out of range',
  'FileNotFoundError: x.csv',
];

function fetching(status: number, message: string): Step {
  const args = { url: 'https://api.example.com/orders' };
  const error = { message, code: `${status}` };
  return { kind: 'tool-call', agent: 'clerk', tool: 'fetch_page', args, error };
}

const RETRIES = [
  'Let me try that again.',
  'One more attempt.',
  'Perhaps it works now.',
  'Retrying.',
];
/** A service turns the same call away each time, in other words. */
function turnedAway(status: number, message: (i: number) => string): Step[] {
  return times(25, (i) => [say('clerk', nth(RETRIES, i)), fetching(status, message(i))]).flat();
}

const SEARCHES = [
  'I need more on tides before I go on.',
  'That is not enough, look again.',
  'Please search once more.',
  'Could you find better passages?',
];
const PASSAGES = [
  'Tides follow the moon.',
  'Spring tides come at full moon.',
  'Neap tides come at half moon.',
];
const FOUND =
  'Here is what I found: tides follow the moon, spring tides come at full moon and neap tides at half moon.';
const PLANS = [
  'First copy the tables, then compare the counts, then switch over at night.',
  'Begin with a replica, follow it for a week, and promote it on Sunday.',
  'Freeze writes, dump everything, load it, and check sums before opening again.',
  'Move customers in batches of regions, with a rollback for each batch.',
  'Write to both stores for a month, then read from the new one only.',
  'Export nightly, import at dawn, and let auditors sample the difference.',
  'Start with archives, since nobody edits them, and learn from that.',
  'Let the vendor run the migration while we watch the dashboards closely.',
];

/** A plan goes into a nested review, and comes back with a verdict. */
function review(i: number, task: string, verdict: string): Step[] {
  const place = { agent: 'chairman', chatId: `c${i}`, depth: 1, path: ['chairman', `c${i}`] };
  const inner = times(4, (k) => {
    const step = k % 2 === 0 ? say('chairman', task) : say('reviewer', verdict);
    return { ...step, depth: 1 } as Step;
  });
  return [
    say('planner', task),
    { kind: 'nested-start', ...place, trigger: 'reply:planner', text: task },
    ...inner,
    { kind: 'nested-end', ...place, text: verdict },
  ];
}

const ACCOUNTS =
  'amber cedar delta ember falcon garnet harbour indigo juniper kestrel lantern meadow nectar opal pepper quartz raven saffron timber umber'.split(
    ' ',
  );
const PAGES = times(20, (i) =>
  say(
    i % 2 ? 'auditor' : 'accountant',
    `Page ${i + 1}: ${nth(ACCOUNTS, i)} account, ${1234 + i * 97} euros, ${nth(ACCOUNTS, i * 7 + 3)} office.`,
  ),
);
const LACKS = 'Insufficient: the plan lacks detail.';

export const RUNAWAYS: readonly Runaway[] = [
  {
    name: 'the same request and the same draft',
    stop: '6 repetition',
    classic: '6 repetition',
    steps: writing(
      () => nth(ASKS, 0),
      () => DRAFT,
    ),
  },
  {
    name: 'the same draft, however it is asked for',
    stop: '6 repetition',
    classic: '6 repetition',
    steps: writing(
      (i) => nth(ASKS, i),
      () => DRAFT,
    ),
  },
  {
    name: 'a draft that gains facts',
    steps: writing(
      (i) => `Add what the ${nth(SITES, i)} site teaches.`,
      (i) =>
        `${DRAFT} The ${nth(SITES, i)} site, number ${i + 11}, gives ${240 + i * 7} megawatts.`,
    ),
  },
  {
    name: 'a book, chapter by chapter',
    steps: writing(
      () => 'Continue.',
      (i) => nth(CHAPTERS, i),
    ),
  },
  {
    name: 'the same code with the same error',
    stop: '6 execution-storm',
    classic: '6 execution-storm',
    steps: times(12, () => [
      say('coder', 'Here it is again.'),
      run('import pandas\nprint(1)', missing(8, 'main')),
    ]).flat(),
  },
  {
    name: 'the same error on a line that moves',
    stop: '10 execution-storm',
    classic: '10 execution-storm',
    steps: times(12, (i) => [
      say('coder', `I moved the import into ${nth(FUNCTIONS, i)}, that should do it.`),
      run(`def f${i}():\n  import pandas\nf${i}()`, missing(8 + i, nth(FUNCTIONS, i))),
    ]).flat(),
  },
  {
    name: 'six errors, one after another, then fixed',
    steps: [
      ...ERRORS.flatMap((error, i) => [
        say('coder', `Fixing ${error.split(':')[0]} now.`),
        run(
          `v${i}`,
          `Traceback (most recent call last):\n  File "job.py", line ${i + 2}, in <module>\n${error}\n`,
        ),
      ]),
      say('coder', 'Done.'),
      run('v7', '42\n', 0),
    ],
  },
  {
    name: 'four errors alike, then fixed',
    steps: [
      ...times(4, (i) => [
        say('coder', `Attempt with another path ${i}.`),
        run(`w${i}`, missing(8 + i, `f${i}`)),
      ]).flat(),
      run('w9', '42\n', 0),
    ],
  },
  {
    name: 'a call that has to be paid for',
    stop: '10 execution-storm',
    classic: '10 execution-storm',
    steps: turnedAway(402, (i) => `Payment required: ${5 + i} credits missing`),
  },
  {
    name: 'a call that is throttled',
    stop: '10 rate',
    classic: '10 rate',
    steps: turnedAway(429, (i) => `Too many requests: retry in ${30 - i} s`),
  },
  {
    name: 'a call that is throttled twice, and then works',
    steps: [
      fetching(429, 'Too many requests'),
      fetching(429, 'Too many requests'),
      ...times(10, (i): Step => {
        const args = { url: `https://api.example.com/orders?page=${i}` };
        const result = `orders ${i * 10} to ${i * 10 + 9}`;
        return { kind: 'tool-call', agent: 'clerk', tool: 'fetch_page', args, result };
      }),
    ],
  },
  {
    name: 'the same passages for a team that wants more',
    stop: '9 repetition',
    classic: '9 repetition',
    steps: times(12, (i): Step[] => {
      const args = { query: 'how do tides work' };
      return [
        say('planner', nth(SEARCHES, i)),
        { kind: 'tool-call', agent: 'retriever', tool: 'retrieve', args, result: PASSAGES },
        say('retriever', FOUND),
      ];
    }).flat(),
  },
  {
    name: 'a review that is started again',
    stop: '17 speaker-cycle',
    classic: '11 speaker-cycle',
    steps: times(8, (i) => review(i, nth(PLANS, 0), LACKS)).flat(),
  },
  {
    name: 'a review of ever new plans with one verdict',
    classic: '16 nested-cascade',
    steps: times(8, (i) => review(i, nth(PLANS, i), LACKS)).flat(),
  },
  {
    name: 'a review of one section after another',
    steps: times(4, (i) => {
      const plan = nth(PLANS, i);
      return review(
        i,
        `Review section ${i + 1}: ${plan}`,
        `Section ${i + 1} is fine: ${plan.toLowerCase()}`,
      );
    }).flat(),
  },
  { name: 'a history that grows with new pages', classic: '17 history-drift', steps: PAGES },
  { name: 'a history of half as many pages', steps: PAGES.slice(0, 10) },
];
