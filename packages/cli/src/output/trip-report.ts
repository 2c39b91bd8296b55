import type { Replayed, ReplayedTrip } from '../replay/replay.ts';
import { spendText } from './amounts.ts';
import { cleanForTerminal } from './clean.ts';

const MAX_SIGNALS = 4;

/** What a replay found in one conversation, as lines for a terminal. */
export function reportOf({ id, source, turns, trips, spent, saved }: Replayed): string {
  const place = id.startsWith(source) ? id : `${id}  (${source})`;
  const [trip] = trips;
  if (trip === undefined) return cleanForTerminal(`${place}: clean, ${spendText(spent)}`);
  const lines = [
    place,
    `  ${trip.kind} at turn ${trip.at} of ${turns}: ${trip.reason}`,
    ...evidenceOf(trip).map((line) => `    ${line}`),
    `  spent ${spendText(spent)}; would have saved ${spendText(saved)}`,
  ];
  return lines.map(cleanForTerminal).join('\n');
}

function evidenceOf({ evidence: { signals } }: ReplayedTrip): readonly string[] {
  const shown = signals
    .slice(-MAX_SIGNALS)
    .map(({ index, agent, excerpt }) => `#${index} ${agent}: ${excerpt ?? ''}`);
  const more = signals.length - shown.length;
  return more > 0 ? [`(${more} earlier)`, ...shown] : shown;
}
