import { AssistantAgent, RoundRobinGroupChat } from '@teamfuse/agentchat';
import { callsTool, replay, tool } from './support/agents.ts';
import { speakers, THINK_MS, type TimedTeam } from './support/loops.ts';
import { REPETITION, repetition, seeEach } from './support/rules.ts';

const PARTS = ['parser', 'printer', 'cache', 'config', 'errors', 'types', 'client', 'server'];

/** A tester who runs the same test each time, and a coder who does something else in between. */
function testingAgain(work: string, answerOf: (part: string) => string): TimedTeam {
  return (clock, options) => {
    const member = (name: string, call: string, args: object, give: (args: unknown) => string) =>
      new AssistantAgent(name, {
        modelClient: replay(
          ...PARTS.map((part, at) =>
            callsTool(call, 'part' in args ? { part } : args, `${name}-${at}`),
          ),
        ),
        tools: [
          tool(call, (given) => {
            clock.advance(THINK_MS);
            return give(given);
          }),
        ],
      });
    const coder = member('coder', work, { part: '' }, (args) =>
      answerOf((args as { part: string }).part),
    );
    const tester = member('tester', 'test', { suite: 'all' }, () => '42 passed, 3 failed');
    const maxTurns = 2 * PARTS.length;
    return new RoundRobinGroupChat([coder, tester], { maxTurns, ...options });
  };
}

const ORDERS = [
  'please send the invoice for the March delivery to the office in Lund',
  'the invoice for the March delivery, please send to the office in Lund',
  'to the office in Lund please send the invoice for the March delivery',
  'please send to the office in Lund the invoice for the March delivery',
  'for the March delivery please send the invoice to the office in Lund',
];

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

/** Four who thank each other in ever new words, in no order. */
const courtesies = speakers({
  host: [
    'You are most welcome, it was a pleasure to help.',
    'Thank you so much, that is very kind of you.',
    'No, thank you! Have a wonderful day.',
    'Likewise, have a great day ahead.',
    'Thanks again, I really appreciate it.',
    'The pleasure is all mine, take care.',
    'Take care as well, and thank you once more.',
    'Goodbye, and thank you.',
  ],
  guest: [
    'Thank you for your kind words.',
    'I appreciate your kindness, thank you.',
    'Wishing you a wonderful day, too.',
    'Many thanks to you both, have a great day.',
    'It was lovely to work with you, thank you.',
    'Thank you, and all the best.',
    'All the best to you as well.',
    'Have a good day, and thank you.',
  ],
  friend: [
    'Thanks, everybody, that was a pleasure.',
    'You are very kind, thanks a lot.',
    'Have a lovely day, all of you.',
    'Thank you, and take care.',
    'Great to work with you, thanks again.',
    'My pleasure, have a nice day.',
    'Thanks, and goodbye for now.',
    'A pleasure, thanks to all of you.',
  ],
});
const hikes = speakers(
  Object.fromEntries(
    ['host', 'guest', 'friend'].map((name, who) => [
      name,
      Array.from(
        { length: 8 },
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
    what: 'a test that is run again while others only look around',
    only: REPETITION,
    shown: repetition("tester called 'test' 3 times with the same result"),
    loop: testingAgain('look', (part) => `${part} has ${part.length * 31} lines and 4 callers`),
    twin: testingAgain('edit', () => 'ok'),
  },
  {
    rule: 'REP3',
    what: 'an order in nearly the same words',
    only: REPETITION,
    shown: repetition('clerk said nearly the same'),
    loop: speakers({ clerk: ORDERS }),
    twin: speakers({
      clerk: ORDERS.map((order, at) => `${order}, number ${7040 + 113 * at * at}`),
    }),
  },
  {
    rule: 'REP1',
    what: 'pages that are shown again',
    only: REPETITION,
    shown: repetition('surfer said the same'),
    loop: turningPages(() => 'Welcome.'),
    twin: turningPages(
      (at) => `News: K${71 + 13 * at} is shut, L${37 * at + 5} has ${at + 6} left.`,
    ),
  },
  {
    rule: 'REP5',
    what: 'courtesies in ever new words',
    only: REPETITION,
    shown: repetition('brought hardly anything new'),
    loop: courtesies,
    twin: hikes,
  },
  {
    rule: 'REP6',
    what: 'a message that chants',
    only: REPETITION,
    shown: repetition('poet said the same 50 times within one message'),
    loop: sorry(50),
    twin: sorry(11),
  },
  {
    rule: 'REP1',
    what: 'one line over and over, whatever excuses come back',
    only: REPETITION,
    shown: repetition('user said the same'),
    loop: urging([
      'I am sorry, the price of the drinks is missing, so I cannot say what the change is.',
      'Sorry for the confusion; without the price of the drinks I cannot say the change.',
      'Without the missing price of the drinks the change cannot be said, I am sorry.',
      'As said, the price of the drinks is missing, and without it I cannot say the change.',
      'I am sorry, but without a price of the drinks the change is not to be said.',
    ]),
    twin: urging([8, 9, 10, 11, 12].map((no) => `Hall${no} has ${no * 89 + 113} seats.`)),
  },
]);
