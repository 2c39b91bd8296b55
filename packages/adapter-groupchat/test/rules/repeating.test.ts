import type { ToolFunction } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { group, speaker, thinker } from '../support/agents.ts';
import { expectHealthy, expectLoop, inPairs, type Play, play } from '../support/plays.ts';

describe('calls of one agent', () => {
  const rooms = ['hall', 'kitchen', 'cellar', 'attic', 'office', 'studio', 'stable', 'chapel'];

  /** A warden who measures the same each time, after a porter has looked at a room. */
  const measured = (roomOf: (at: number) => string | undefined): Play => {
    return (options) => {
      const makes = (name: string, argsOf: (at: number) => object) =>
        rooms.map((_, at) => ({
          content: [{ id: `${name}_${at}`, name, arguments: JSON.stringify(argsOf(at)) }],
        }));
      const { agent: porter } = thinker(
        'porter',
        makes('look', (at) => ({ room: roomOf(at) })),
      );
      const { agent: warden } = thinker(
        'warden',
        makes('measure', () => ({ meter: 'main' })),
      );
      const functionMap: Record<string, ToolFunction> = {
        look: ({ room }) => `${room}: ${String(room).length * 31} m2 and 4 windows`,
        measure: () => ({ heat: '19.5 degrees', damp: '61 percent' }),
      };
      const [hands, eyes] = ['hands', 'eyes'].map((name) => speaker(name, '', { functionMap }));
      if (!hands || !eyes) throw new Error('nobody to carry the calls out');
      const members = [porter, hands, warden, eyes];
      const { manager } = group(members, { maxRound: 1 + 4 * rooms.length });
      return play([...members, manager], [eyes, manager], 'Is the house dry?', options);
    };
  };

  test('[GCD1] [REP2] trip when they are made again while others get no further either', async () => {
    const trip = await expectLoop(
      measured(() => 'hall'),
      'repetition',
    );
    expect(trip?.reason).toContain('would complete the same two steps for the third time');
    expect(trip?.evidence).toMatchObject({ agents: ['porter', 'warden'], count: 3, period: 2 });
  });

  test('[GCD1] [REP2] do not when others look at something else before each', async () => {
    await expectHealthy(measured((at) => rooms[at]));
  });
});

describe('an order', () => {
  const parts = ['please book', 'the night train from Narvik', 'with two berths', 'for the crew'];
  const turns = [
    [0, 1, 2, 3],
    [0, 3, 2, 1],
    [0, 1, 3, 2],
  ] as const;
  /** The same parts, twelve times in another order. */
  const orders = turns.flatMap((turn) =>
    parts.map((_, first) => turn.map((place) => parts[(place + first) % 4]).join(' ')),
  );
  const ordered = (orderOf: (at: number) => string): Play => {
    return (options) => {
      const [clerk, helper] = [
        speaker(
          'clerk',
          orders.map((_, at) => orderOf(at)),
        ),
        speaker('helper'),
      ];
      const { manager } = group([clerk, helper], {
        maxRound: 1 + orders.length,
        speakerSelectionMethod: () => clerk,
      });
      return play([clerk, helper, manager], [helper, manager], 'What is to be done?', options);
    };
  };

  test('[GCD1] [REP11] trips when it comes again and again in nearly the same words', async () => {
    const trip = await expectLoop(
      ordered((at) => orders[at] ?? ''),
      'repetition',
    );
    expect(trip?.basis).toBe('suspected');
    expect(trip?.reason).toContain('clerk have added almost nothing new for a while');
  });

  test('[GCD1] [REP11] does not when it is for another train each time', async () => {
    await expectHealthy(ordered((at) => `${orders[at]}, number ${4410 + 113 * at * at}`));
  });
});

describe('pages', () => {
  const asks = [
    'Please show the berths of the marina.',
    'Please show when the buses go.',
    'Show the berths once more, please.',
    'Please show when the buses go.',
    'Please show the marina, its berths.',
    'When the buses go, please.',
    'Show the marina once more.',
    'Show the buses, please.',
  ];
  const berths =
    'Marina of Ystad: berth 12 for boats of 9 metres at 31 euros, berth 15 for boats of 14 metres at 47 euros, water and power at every pole, keys at the office until 22 h, dogs on a lead, and a sauna for all guests from 18 h on, by the light of the harbour.';
  const buses =
    'Buses from Ystad: departures at 6:40, 11:15 and 17:50, tickets at 31 crowns on board, bicycles travel along for nothing, no service on the last day of the year; the driver waits for 20 minutes at stop 3 beside the mill, and nobody gets on after that.';
  const turned = (newsOf: (at: number) => string): Play => {
    const lines = asks.flatMap((ask, at) => {
      const page = `${at % 2 === 0 ? berths : buses} ${newsOf(at)}`;
      return at === 0 ? [page] : [ask, page];
    });
    return inPairs(lines, asks[0] ?? '');
  };

  test('[GCD1] [SPK1] trip when the same are shown again, however they are asked for', async () => {
    const trip = await expectLoop(
      turned(() => 'Welcome.'),
      'speakerCycle',
    );
    expect(trip?.reason).toMatch(/took turns \w+ times and added almost nothing new$/);
  });

  test('[GCD1] [SPK1] do not when there is news on them', async () => {
    const news = (at: number) => `News: K${71 + 13 * at} is shut, L${37 * at + 5} has ${at + 6}.`;
    await expectHealthy(turned(news));
  });
});

describe('a message', () => {
  const sorry = (times: number): Play =>
    inPairs(
      [
        'I am sorry about that. '.repeat(times),
        'Nidaros rhymes with 14 words, see page 31.',
        'Stanza 2: herons over Nidaros at dusk.',
      ],
      'Line 7 has 9 syllables, not 8.',
    );

  test('[GCD1] [REP6] trips when it chants', async () => {
    const trip = await expectLoop(sorry(50), 'repetition');
    expect(trip?.reason).toContain('B repeated the same text 50 times within one message');
  });

  test('[GCD1] [REP6] does not when it says the same less often', async () => {
    await expectHealthy(sorry(11));
  });
});

describe('one line over and over', () => {
  const urged = (answers: readonly string[]): Play => {
    const known = ['Quay5 takes 87 boats.', 'Quay6 takes 140 boats.', 'Quay7 takes 96 boats.'];
    const lines = answers.flatMap((answer) => ['Go on, please keep on counting.', answer]);
    return inPairs([...known, ...lines], 'Quay4 takes 312 boats.');
  };

  test('[GCD1] [SPK1] trips when it gets nothing but excuses', async () => {
    const excuses = [
      'I am sorry, the length of the pontoon is missing, so I cannot say how many fit.',
      'Sorry for the confusion; without the length of the pontoon I cannot say how many.',
      'Without the missing length of the pontoon it cannot be said, I am sorry.',
      'As said, the length of the pontoon is missing, and without it I cannot say how many.',
      'I am sorry, but without a length of the pontoon it is not to be said.',
      'How many fit I cannot say, sorry, as the length of the pontoon is missing.',
      'Sorry, it cannot be said how many fit without the missing length of the pontoon.',
    ];
    const trip = await expectLoop(urged(excuses), 'speakerCycle');
    expect(trip?.reason).toMatch(/took turns \w+ times and added almost nothing new$/);
  });

  test('[GCD1] [SPK1] does not when it gets work done each time', async () => {
    const done = [8, 9, 10, 11, 12, 13, 14].map((no) => `Quay${no} takes ${no * 89 + 113} boats.`);
    await expectHealthy(urged(done));
  });
});
