import type { Replayed, ReplayedTrip } from '../replay/replay.ts';
import { spendText } from './amounts.ts';
import { cleanForTerminal } from './clean.ts';

const MAX_SIGNALS = 4;

/** What a replay found in one conversation, as lines for a terminal: what is saved first, and what to change last. */
export function reportOf(replayed: Replayed): string {
  const { turns, trips, spent, saved } = replayed;
  const [name = '', ...place] = nameLines(replayed);
  const [trip] = trips;
  if (trip === undefined) return cleanForTerminal(`${name}: clean, ${spendText(spent)}`);
  const lines = [
    name,
    ...place,
    `  would have saved ${spendText(saved)}; spent ${spendText(spent)}`,
    `  ${trip.kind} at turn ${trip.at} of ${turns}: ${trip.reason}`,
    ...evidenceOf(trip).map((line) => `    ${line}`),
    `  ${trip.advice}`,
  ];
  return lines.map(cleanForTerminal).join('\n');
}

/** What a conversation is called; below it, if that is not its id, the id. */
export function nameLines({ id, title, team, source }: Replayed): readonly string[] {
  const place = id.startsWith(source) ? id : `${id}  (${source})`;
  if (title === id) return [place];
  const name = team === '' || team === title ? title : `${title}  (${team})`;
  return [name, `  ${place}`];
}

function evidenceOf({ evidence: { signals } }: ReplayedTrip): readonly string[] {
  const shown = signals
    .slice(-MAX_SIGNALS)
    .map(({ index, agent, excerpt }) => `#${index} ${agent}: ${excerpt ?? ''}`);
  const more = signals.length - shown.length;
  return more > 0 ? [`(${more} earlier)`, ...shown] : shown;
}
