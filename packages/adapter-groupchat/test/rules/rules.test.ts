import type { CodeExecutor } from '@teamfuse/code-executors';
import type { BreakerOptions } from '@teamfuse/core';
import type { ToolFunction } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import {
  type Call,
  expectHealthy,
  expectLoop,
  inPairs,
  type Play,
  THINK_MS,
  withExecutor,
  withTools,
} from '../support/plays.ts';

describe('code that is shown again', () => {
  const fixes = ["rows = rows.dropna(subset=['net'])", "rows['net'] = rows['net'].fillna(0)"];
  const words = [
    [0, 'The months without a net value get in the way, so they go.'],
    [1, 'They are missing from the plot now. Better to keep them as zero.'],
    [1, 'Nothing came of it; once more, in case the cell did not run.'],
    [0, 'Then back to leaving those lines out after all.'],
    [1, 'I would rather see zeros there. It has to be this.'],
    [0, 'Strange. Out with them, this must help.'],
    [1, 'Zero again. Let us have a look.'],
    [0, 'I take them out.'],
  ] as const;

  /** A coder who goes back and forth between two fixes. */
  const withFixes =
    (outputOf: (fix: string, run: number) => string): Play =>
    (options) => {
      let runs = 0;
      const executor: CodeExecutor = {
        async executeCodeBlocks([block]) {
          return { exitCode: 0, output: outputOf(block?.code ?? '', runs++) };
        },
      };
      const says = words.map(([fix, text]) => `${text}\n\`\`\`python\n${fixes[fix]}\n\`\`\``);
      return withExecutor(executor, says, options);
    };

  test('[GCD1] [LAP1] trips when its runs come to the same, in whatever order', async () => {
    const run = withFixes((fix) => `warning: ${fix.includes('dropna') ? 17 : 23} months are empty`);
    const trip = await expectLoop(run, 'repetition');
    expect(trip?.basis).toBe('certain');
    expect(trip?.reason).toBe(
      'the last six runs of code were the same two over and over with the same results',
    );
    expect(trip?.evidence).toMatchObject({ agents: ['runner'], count: 3, limit: 3, period: 2 });
  });

  test('[GCD1] [LAP1] does not while its runs bring something new', async () => {
    const left = [212, 187, 140, 139, 88, 51, 17, 0];
    await expectHealthy(withFixes((_, run) => `warning: ${left[run]} months are empty`));
  });
});

describe('results that begin alike', () => {
  const asks = [
    'Please open the catalogue at the shelf for sea charts.',
    'The sea charts, please: that shelf of the catalogue.',
    'Show the shelf of the catalogue where sea charts stand.',
    'Once more the catalogue, at sea charts.',
    'To the sea charts in the catalogue, please.',
    'The shelf where the sea charts stand, in the catalogue.',
    'Please show the sea charts, once more the shelf.',
  ];
  const page = (rows: string): string =>
    `Catalogue of the Maritime Library, https://library.example/catalogue?shelf=charts, as it is shown at a width of 1280: shelf for sea charts, sorted by region, open to readers with a card from 9 to 17 on working days. On the page stands: ${rows}. Charts are lent for 14 days, at most 3 at a time; those from before 1900 stay in the reading room, where there are 24 seats, a light table and a scanner for up to 600 dots per inch. ${rows}`;
  const read = (rowsOf: (at: number) => string): Play =>
    inPairs(
      asks.flatMap((ask, at) => (at === 0 ? [page(rowsOf(0))] : [ask, page(rowsOf(at))])),
      asks[0] ?? '',
    );

  test('[GCD1] [SPK1] trip when only the noise in them differs', async () => {
    const noise = ['a banner', 'tea', 'the weather', 'a log-in box', 'news', 'jobs', 'cookies'];
    const trip = await expectLoop(
      read((at) => noise[at] ?? ''),
      'speakerCycle',
    );
    expect(trip?.basis).toBe('suspected');
    expect(trip?.reason).toMatch(/took turns \w+ times and added almost nothing new$/);
  });

  test('[GCD1] [SPK1] do not when there is news in them', async () => {
    const rows = (at: number): string =>
      `SC-${1042 + 391 * at} of ${1871 + 13 * at}, scale 1:${25_000 + 12_500 * at}, and SC-${5210 + 77 * at}`;
    await expectHealthy(read(rows));
  });
});

describe('calls under other names', () => {
  /** An id such as computers draw, another one for each `at`. */
  const id = (at: number): string => `${(0x9e37 * (at + 11)).toString(16)}c7${at}e4b`;
  const stations = [
    ...['Delfzijl', 'Harlingen', 'Vlissingen', 'Terneuzen', 'Yerseke', 'Westkapelle'],
    ...['Hansweert', 'Stavenisse', 'Roompot', 'Lauwersoog', 'Petten', 'Oudeschild', 'Eemshaven'],
  ];
  const heights = stations.map((_, at) => 231 + 13 * at * at);
  const tides = (station: string) => [
    { tide: 'high water', cm: heights[stations.indexOf(station)], by: 'the old sluice' },
    { tide: 'low water', cm: -(heights[stations.indexOf(station)] ?? 0) - 40, by: 'the new pier' },
  ];

  interface Disguise {
    readonly rule: string;
    readonly name: string;
    /** What is declared of it, and what a trip says then. */
    readonly declared: BreakerOptions;
    readonly shown: string;
    /** The calls of a round. */
    readonly round: (at: number, station: string) => readonly Call[];
    readonly makeTools: (stationOf: (at: number) => string) => Record<string, ToolFunction>;
  }

  const disguises: readonly Disguise[] = [
    {
      rule: 'ANL13',
      name: 'session',
      declared: { analysis: { volatileFields: ['session'] } },
      shown: "'leave' would complete the same three steps for the third time",
      round: (at, station) => [
        ['connect', '{"port": 7}'],
        ['tides', `{"session": "S-${id(at)}", "station": "${station}"}`],
        ['leave', `{"session": "S-${id(at)}"}`],
      ],
      makeTools: () => {
        let opened = 0;
        return {
          connect: () => ({ session: `S-${id(opened++)}` }),
          tides: ({ station }) => tides(String(station)),
          leave: () => ({ status: 'closed' }),
        };
      },
    },
    {
      rule: 'ANL13',
      name: 'nonce',
      declared: { analysis: { volatileFields: ['nonce'] } },
      shown: "'tides' would be called for the third time",
      round: (at, station) => [['tides', `{"station": "${station}", "nonce": "${id(at)}"}`]],
      makeTools: () => ({ tides: ({ station }) => tides(String(station)) }),
    },
    {
      rule: 'ANL2',
      name: 'cursor',
      declared: {},
      shown: 'clerk has added almost nothing new for a while',
      round: (at) => [['tides', `{"page": ${at + 1}, "cursor": "${id(at)}"}`]],
      makeTools: (stationOf) => {
        let shown = 0;
        const note =
          'Heights above mean level; boats longer than a lock wait outside for the bell.';
        return { tides: () => ({ note, rows: tides(stationOf(shown++)), next: id(shown) }) };
      },
    },
  ];

  const rounds = ({ round, makeTools }: Disguise, stationOf: (at: number) => string): Play => {
    const calls = stations.flatMap((_, at) => round(at, stationOf(at)));
    return withTools(calls, () => makeTools(stationOf), THINK_MS);
  };

  const cases = disguises.map((disguise) => [disguise.rule, disguise.name, disguise] as const);

  test.each(cases)('[GCD1] [%s] trip when only their %s is another', async (_, __, disguise) => {
    const run = rounds(disguise, () => 'Delfzijl');
    const trip = await expectLoop(run, 'repetition', disguise.declared);
    expect(trip?.reason).toContain(disguise.shown);
    expect(trip?.agents).toEqual(['clerk']);
  });

  test.each(cases)(
    '[GCD1] [%s] do not when each %s is for something else',
    async (_, __, disguise) => {
      await expectHealthy(
        rounds(disguise, (at) => stations[at] ?? ''),
        disguise.declared,
      );
    },
  );
});

describe('errors of one category', () => {
  const kits = [
    ...['forms', 'dates', 'images', 'slides', 'modals', 'toasts', 'routes', 'charts'],
    ...['tables', 'menus', 'badges', 'sheets'],
  ];
  const build = (missing: (at: number) => string): Play =>
    withTools(
      kits.map((_, at) => ['build', `{"attempt": ${at * at + 3}}`]),
      () => {
        let made = 0;
        return {
          build: () => {
            throw new Error(`PeerMissingError: ${missing(made++)}`);
          },
        };
      },
      THINK_MS,
    );

  test('[GCD1] [STO2] trip at the tenth that is like one before', async () => {
    const pairs = ['forms wants dates', 'dates wants forms'];
    const trip = await expectLoop(
      build((at) => pairs[at % 2] ?? ''),
      'executionStorm',
    );
    expect(trip?.evidence).toMatchObject({ subject: 'PeerMissingError', count: 11, limit: 10 });
  });

  test('[GCD1] [STO2] do not when each names something else', async () => {
    await expectHealthy(build((at) => `${kits[at]} wants ${kits[(at + 1) % kits.length]}-core`));
  });
});

describe('a tool that turns calls away', () => {
  const asked = (thinkMs: number, symbolOf: (at: number) => string = () => 'HBR'): Play =>
    withTools(
      Array.from({ length: 12 }, (_, at): Call => ['quote', `{"symbol": "${symbolOf(at)}"}`]),
      () => ({
        quote: () => {
          throw new Error('429 Too Many Requests');
        },
      }),
      thinkMs,
    );

  test('[GCD1] [RAT5] trips when it is asked the same again without a wait', async () => {
    const trip = await expectLoop(asked(THINK_MS), 'rate');
    expect(trip?.reason).toContain('without waiting');
    expect(trip?.evidence).toMatchObject({ count: 5, subject: 'tool quote' });
  });

  test('[GCD1] [RAT5] does not when it is given time each time', async () => {
    await expectHealthy(asked(5 * THINK_MS));
  });

  test('[GCD1] [RAT5] does not when it is asked for something else each time', async () => {
    await expectHealthy(asked(THINK_MS, (at) => `S${31 * at + 7}`));
  });
});
