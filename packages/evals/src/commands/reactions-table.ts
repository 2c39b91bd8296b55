import { type Counted, count, type Played, type Reacted, react } from '../scores/reactions.ts';
import { type Shares, sharesOf, worthOf } from '../scores/worth.ts';
import { markdown, type Row } from './markdown.ts';

/** Conversations that stand in one row. */
export interface PlayedSet {
  readonly name: string;
  readonly played: readonly Played[];
}

const HEAD: Row = [
  'without a judge',
  'loops that `stop` stops',
  'loops that `ladder` tells',
  'and stops',
  'healthy ones that `stop` stops',
  'that `ladder` tells',
  'and stops',
];

/** What is known where readers have said what was work, with `stop` and with `ladder`. */
const WORTH: readonly (readonly [head: string, of: keyof Shares])[] = [
  ['`stop` and `ladder` save of a loop', 'ofEachLoop'],
  ['of all loops', 'ofAllLoops'],
  ['and keep of work', 'keptWork'],
];

/** What each reaction does with the same conversations, as Markdown. */
export function reactionsTable(sets: readonly PlayedSet[]): string {
  const isRead = sets.every(({ played }) => played.every((one) => one.workSignals !== undefined));
  return markdown(
    isRead ? [...HEAD, ...WORTH.map(([head]) => head)] : HEAD,
    sets.map((set) => rowOf(set, isRead)),
  );
}

function rowOf({ name, played }: PlayedSet, isRead: boolean): Row {
  const stop = played.map((one) => react(one, 'stop'));
  const ladder = played.map((one) => react(one, 'ladder'));
  const cells = [true, false].flatMap((isLoop) => {
    const stopped = count(stop.filter((one) => one.isLoop === isLoop));
    const climbed = count(ladder.filter((one) => one.isLoop === isLoop));
    return [stoppedOf(stopped), toldOf(climbed), stoppedOf(climbed)];
  });
  return [name, ...cells, ...(isRead ? worthCells(played, [stop, ladder]) : [])];
}

function worthCells(played: readonly Played[], reactions: readonly (readonly Reacted[])[]): Row {
  const shares = reactions.map((all) =>
    sharesOf(played.map((one, i) => worthOf(one, all[i] as Reacted))),
  );
  return WORTH.map(([, of]) => shares.map((one) => percent(one[of])).join(', '));
}

/** Cut off after its tenths, so that nothing looks better than it is. */
function percent(share: number): string {
  return `${(Math.floor(1000 * share) / 10).toFixed(1)} %`;
}

function stoppedOf({ stopped, runs, medianStopped }: Counted): string {
  return shown(stopped, runs, medianStopped);
}

function toldOf({ told, runs, medianTold }: Counted): string {
  return shown(told, runs, medianTold);
}

function shown(of: number, runs: number, at: number | undefined): string {
  return at === undefined ? `${of} of ${runs}` : `${of} of ${runs}, at ${at}`;
}
