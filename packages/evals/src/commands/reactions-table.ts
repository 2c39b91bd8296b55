import { type Counted, count, type Played, react } from '../scores/reactions.ts';
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

/** What each reaction does with the same conversations, as Markdown. */
export function reactionsTable(sets: readonly PlayedSet[]): string {
  return markdown(HEAD, sets.map(rowOf));
}

function rowOf({ name, played }: PlayedSet): Row {
  const stop = played.map((one) => react(one, 'stop'));
  const ladder = played.map((one) => react(one, 'ladder'));
  const cells = [true, false].flatMap((isLoop) => {
    const stopped = count(stop.filter((one) => one.isLoop === isLoop));
    const climbed = count(ladder.filter((one) => one.isLoop === isLoop));
    return [stoppedOf(stopped), toldOf(climbed), stoppedOf(climbed)];
  });
  return [name, ...cells];
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
