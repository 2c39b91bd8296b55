import { type Call, calling, type TimedTeam, type Tools } from './loops.ts';

/** A round of calls that goes by another name each time. */
interface Disguise {
  readonly name: string;
  readonly round: (at: number, wing: string) => readonly Call[];
  readonly makeTools: (wingOf: (at: number) => string) => Tools;
}

const WINGS = ['east', 'west', 'north', 'south', 'attic', 'cellar', 'tower', 'chapel'];

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
    name: 'session',
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
    name: 'nonce',
    round: (at, wing) => [['paintings', { wing, nonce: id(at) }]],
    makeTools: () => ({ paintings: ({ wing }) => paintings(String(wing)) }),
  },
  {
    name: 'cursor',
    round: (at) => [['paintings', { page: at + 1, cursor: id(at) }]],
    makeTools: (wingOf) => {
      let shown = 0;
      return { paintings: () => ({ rows: paintings(wingOf(shown++)), next: id(shown) }) };
    },
  },
];

/** Rounds that differ in their disguise only, and their twins, which are for something else each time. */
export const DISGUISED: readonly {
  readonly name: string;
  readonly loop: TimedTeam;
  readonly twin: TimedTeam;
}[] = DISGUISES.map(({ name, round, makeTools }) => {
  const rounds = (wingOf: (at: number) => string): TimedTeam =>
    calling(
      WINGS.flatMap((_, at) => round(at, wingOf(at))),
      () => makeTools(wingOf),
    );
  return { name, loop: rounds(() => 'east'), twin: rounds((at) => WINGS[at] ?? '') };
});
