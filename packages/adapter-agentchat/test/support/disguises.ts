import type { DetectionOptions } from '@teamfuse/core/detectors';
import { type Call, calling, type TimedTeam, type Tools } from './loops.ts';
import { threeRounds } from './rules.ts';

/** A round of calls that goes by another name each time. */
interface Disguise {
  /** The rule by which it is seen through. */
  readonly rule: string;
  readonly name: string;
  /** What is declared of it, and what a trip says then. */
  readonly declared: DetectionOptions;
  readonly shown: RegExp;
  readonly round: (at: number, wing: string) => readonly Call[];
  readonly makeTools: (wingOf: (at: number) => string) => Tools;
}

const WINGS = [
  ...['east', 'west', 'north', 'south', 'attic', 'cellar', 'tower', 'chapel'],
  ...['hall', 'stairs', 'library', 'kitchen', 'stable'],
];

/** An id such as computers draw, another one for each `at`. */
function id(at: number): string {
  return `${(0x6a09 * (at + 13)).toString(16)}b3${at}f5e`;
}

/** What hangs in a wing. */
function paintings(wing: string): object[] {
  const no = WINGS.indexOf(wing);
  return [
    { title: `Still life with ${wing} light`, year: 1640 + 7 * no * no, insured: 5200 + 310 * no },
    { title: `Portrait of the ${wing} porter`, year: 1711 + 3 * no, insured: 880 + 45 * no * no },
  ];
}

const DISGUISES: readonly Disguise[] = [
  {
    rule: 'ANL13',
    name: 'session',
    declared: { analysis: { volatileFields: ['session'] } },
    shown: threeRounds('log_in', 'paintings', 'log_out'),
    round: (at, wing) => [
      ['log_in', { desk: 4 }],
      ['paintings', { session: `S-${id(at)}`, wing }],
      ['log_out', { session: `S-${id(at)}` }],
    ],
    makeTools: () => {
      let opened = 0;
      return {
        log_in: () => ({ session: `S-${id(opened++)}` }),
        paintings: ({ wing }) => paintings(String(wing)),
        log_out: () => ({ status: 'closed' }),
      };
    },
  },
  {
    rule: 'ANL13',
    name: 'nonce',
    declared: { analysis: { volatileFields: ['nonce'] } },
    shown: threeRounds('paintings'),
    round: (at, wing) => [['paintings', { wing, nonce: id(at) }]],
    makeTools: () => ({ paintings: ({ wing }) => paintings(String(wing)) }),
  },
  {
    rule: 'ANL2',
    name: 'cursor',
    declared: {},
    shown: /^clerk has added almost nothing new for a while/,
    round: (at) => [['paintings', { page: at + 1, cursor: id(at) }]],
    makeTools: (wingOf) => {
      let shown = 0;
      return { paintings: () => ({ rows: paintings(wingOf(shown++)), next: id(shown) }) };
    },
  },
];

/** Rounds that differ in their disguise only, and their twins, which are for something else each time. */
export const DISGUISED: readonly (Omit<Disguise, 'round' | 'makeTools'> & {
  readonly loop: TimedTeam;
  readonly twin: TimedTeam;
})[] = DISGUISES.map(({ round, makeTools, ...disguise }) => {
  const rounds = (wingOf: (at: number) => string): TimedTeam =>
    calling(
      WINGS.flatMap((_, at) => round(at, wingOf(at))),
      () => makeTools(wingOf),
    );
  return { ...disguise, loop: rounds(() => 'east'), twin: rounds((at) => WINGS[at] ?? '') };
});
