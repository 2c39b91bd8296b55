import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { callsTool, replay, tool } from './support/agents.ts';
import { speakers, THINK_MS, type TimedTeam } from './support/loops.ts';
import {
  REPETITION,
  repetition,
  SPEAKER_CYCLE,
  SUSPECTED_CYCLE,
  seeEach,
  threeRounds,
} from './support/rules.ts';

const PARTS = ['parser', 'printer', 'cache', 'config', 'errors', 'types', 'client', 'server'];

/** A tester who runs the same test each time, and a coder who looks at a part in between. */
function testingAgain(partOf: (at: number) => string | undefined): TimedTeam {
  return (clock, options) => {
    const member = (
      name: string,
      call: string,
      argsOf: (at: number) => object,
      give: (args: unknown) => string,
    ) =>
      new AssistantAgent(name, {
        modelClient: replay(...PARTS.map((_, at) => callsTool(call, argsOf(at), `${name}-${at}`))),
        tools: [
          tool(call, (given) => {
            clock.advance(THINK_MS);
            return give(given);
          }),
        ],
      });
    const partAt = (at: number) => ({ part: partOf(at) });
    const coder = member('coder', 'look', partAt, (args) => {
      const { part } = args as { part: string };
      return `${part} has ${part.length * 31} lines and 4 callers`;
    });
    const suite = () => ({ suite: 'all' });
    const tester = member('tester', 'test', suite, () => '42 passed, 3 failed');
    const maxTurns = 2 * PARTS.length;
    return new RoundRobinGroupChat([coder, tester], { maxTurns, ...options });
  };
}

const ORDER = ['please send', 'the invoice for the March delivery', 'to the office', 'in Lund'];
/** The same order, twelve times with its parts in another place. */
const ORDERS = [
  [0, 1, 2, 3],
  [0, 3, 2, 1],
  [0, 1, 3, 2],
].flatMap((places) =>
  ORDER.map((_, first) => places.map((place) => ORDER[(place + first) % 4]).join(' ')),
);

/** A surfer who goes from one of two pages to the other. */
function turningPages(newsOf: (at: number) => string): TimedTeam {
  const page = (at: number): string =>
    at % 2 === 0
      ? `Room list of Hotel Fjordblick: room 12 with 2 beds at 94 euros, room 15 with 3 beds at 121 euros, breakfast from 7 to 10, garage 8 euros a night, dogs on request, keys at the desk until 22 h. Season ends in October, with a supper for all guests. ${newsOf(at)}`
      : `Ferries from Stavnes: departures at 6:40, 11:15 and 17:50, cars 31 euros, passengers 9 euros, bicycles travel along for nothing, no service in a storm; boarding closes 20 minutes earlier at pier 3 beside the mill, and nobody boards after that. ${newsOf(at)}`;
  return speakers({
    planner: [
      'Please show the rooms of the hotel.',
      'Please show when the ferries go.',
      'Show the rooms once more, please.',
      'Please show when the ferries go.',
      'Please show the hotel, its rooms.',
      'When the ferries go, please.',
      'Show the hotel once more.',
      'Show the ferries, please.',
    ],
    surfer: Array.from({ length: 8 }, (_, at) => page(at)),
  });
}

const COURTESIES = [
  'Thank you for your kind words.',
  'It was a pleasure to work with you.',
  'Have a wonderful day, all of you.',
  'I really appreciate your help.',
  'Take care, and all the best.',
  'You are most welcome, as ever.',
  'That is very kind of you.',
  'Many thanks, and goodbye for now.',
];
const GUESTS = ['host', 'guest', 'friend'];
const ROUNDS = 10;

/** Three who thank each other, with two courtesies each time and no two messages alike. */
const courtesies = speakers(
  Object.fromEntries(
    GUESTS.map((name, who) => [
      name,
      Array.from({ length: ROUNDS }, (_, round) => {
        const at = 3 * round + who;
        const pair = [at, at + 1 + Math.floor(at / COURTESIES.length)];
        return pair.map((one) => COURTESIES[one % COURTESIES.length]).join(' ');
      }),
    ]),
  ),
);
const hikes = speakers(
  Object.fromEntries(
    GUESTS.map((name, who) => [
      name,
      Array.from(
        { length: ROUNDS },
        (_, at) =>
          `Hut${3 * at + who} lies at ${1240 + 97 * at + 31 * who} m, ${7 * at + 4 * who + 3} beds.`,
      ),
    ]),
  ),
);

/** Somebody who says sorry within one message so often, before the work goes on. */
function sorry(times: number): TimedTeam {
  return speakers({
    poet: ['I am sorry about that. '.repeat(times), 'Stanza 2: herons over Nidaros at dusk.'],
    critic: ['Nidaros rhymes with 14 words, see page 31.', 'Line 7 has 9 syllables, not 8.'],
  });
}

/** Somebody who says one line over and over, to a solver. */
function urging(answers: readonly string[]): TimedTeam {
  const before = ['Hall4 has 312 seats.', 'Hall6 has 140 seats.'];
  return speakers({
    user: [...before, ...answers.map(() => 'Continue. Please keep solving.')],
    solver: ['Hall5 has 87 seats.', 'Hall7 has 96 seats.', ...answers],
  });
}

seeEach([
  {
    rule: 'REP2',
    what: 'a test that is run again while others get no further either',
    only: REPETITION,
    shown: repetition(threeRounds('look', 'test')),
    loop: testingAgain(() => 'parser'),
    twin: testingAgain((at) => PARTS[at]),
  },
  {
    rule: 'REP11',
    what: 'an order in nearly the same words',
    only: REPETITION,
    shown: repetition(/^clerk has added almost nothing new/),
    loop: speakers({ clerk: ORDERS }),
    twin: speakers({
      clerk: ORDERS.map((order, at) => `${order}, number ${7040 + 113 * at * at}`),
    }),
  },
  {
    rule: 'SPK1',
    what: 'pages that are shown again',
    only: SPEAKER_CYCLE,
    shown: SUSPECTED_CYCLE,
    loop: turningPages(() => 'Welcome.'),
    twin: turningPages(
      (at) => `News: K${71 + 13 * at} is shut, L${37 * at + 5} has ${at + 6} left.`,
    ),
  },
  {
    rule: 'REP11',
    what: 'courtesies in ever another order',
    only: REPETITION,
    shown: repetition(/added almost nothing new/),
    loop: courtesies,
    twin: hikes,
  },
  {
    rule: 'REP6',
    what: 'a message that chants',
    only: REPETITION,
    shown: repetition(/^poet repeated the same text 50 times within one message$/),
    loop: sorry(50),
    twin: sorry(11),
  },
  {
    rule: 'SPK1',
    what: 'one line over and over, whatever excuses come back',
    only: SPEAKER_CYCLE,
    shown: SUSPECTED_CYCLE,
    loop: urging([
      'I am sorry, the price of the drinks is missing, so I cannot say what the change is.',
      'Sorry for the confusion; without the price of the drinks I cannot say the change.',
      'Without the missing price of the drinks the change cannot be said, I am sorry.',
      'As said, the price of the drinks is missing, and without it I cannot say the change.',
      'I am sorry, but without a price of the drinks the change is not to be said.',
      'What the change is I cannot say, sorry, as the price of the drinks is missing.',
      'Sorry, it cannot be said what the change is without the missing price of the drinks.',
      'The price of the drinks is missing, as said, so I cannot say what the change is.',
    ]),
    twin: urging(
      [8, 9, 10, 11, 12, 13, 14, 15].map((no) => `Hall${no} has ${no * 89 + 113} seats.`),
    ),
  },
]);
