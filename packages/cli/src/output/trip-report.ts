import type { Replayed, ReplayedTrip } from '../replay/replay.ts';
import type { Spend } from '../replay/spend.ts';
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

/** A stretch in words. */
export function spendText({ turns, tokens, usd, unpricedTokens }: Spend): string {
  const parts = [counted(turns, 'turn')];
  if (tokens > 0) parts.push(counted(tokens, 'token'));
  if (usd !== null) parts.push(`$${usd.toFixed(usd < 1 ? 4 : 2)}`);
  if (unpricedTokens > 0) parts.push(`${counted(unpricedTokens, 'token')} of unknown price`);
  return parts.join(', ');
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
}

function evidenceOf({ evidence: { signals } }: ReplayedTrip): readonly string[] {
  const shown = signals
    .slice(-MAX_SIGNALS)
    .map(({ index, agent, excerpt }) => `#${index} ${agent}: ${excerpt ?? ''}`);
  const more = signals.length - shown.length;
  return more > 0 ? [`${more} before, and`, ...shown] : shown;
}
