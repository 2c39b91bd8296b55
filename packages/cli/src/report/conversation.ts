import { spendText } from '../output/trip-report.ts';
import type { Replayed } from '../replay/replay.ts';
import type { Trace, TracedTurn } from '../replay/trace.ts';
import type { VNode } from '../vendor/markup.ts';
import { speakerChart, spendChart, suspicionChart, timelineChart } from './charts.ts';
import { chart, el, row, table } from './parts.ts';

const MAX_EVIDENCE = 8;

/** The section of one conversation. */
export function conversation(replayed: Replayed, number: number): VNode {
  const { id, source, turns, trips, spent, saved, trace } = replayed;
  const [trip] = trips;
  const label = `c${number}-title`;
  const spending = `Spent ${spendText(spent)}${trip ? `; the stop would have saved ${spendText(saved)}` : ''}.`;
  return el('section', { class: 'conversation', id: `c${number}`, 'aria-labelledby': label }, [
    el('h2', { id: label }, el('bdi', null, id)),
    el('p', { class: 'dim' }, el('bdi', null, source)),
    trip === undefined
      ? el('p', null, `Did not trip in ${turns} turns.`)
      : el('p', { class: 'reason' }, [
          el('strong', null, `${trip.kind} at turn ${trip.at} of ${turns}: `),
          el('bdi', null, trip.reason),
        ]),
    el('p', null, spending),
    trace === undefined ? null : details(trace, trip?.at),
  ]);
}

function details(trace: Trace, stoppedAt: number | undefined): (VNode | null)[] {
  const marked = trace.turns.filter(({ isEvidence }) => isEvidence);
  const stop = stoppedAt === undefined ? '' : `, stopped at turn ${stoppedAt}`;
  const last = trace.turns.at(-1)?.turn ?? 0;
  return [
    evidence(trace),
    el('div', { class: 'charts' }, [
      chart(
        'Turns by speaker',
        `Turns by speaker up to turn ${last}${stop}; evidence: ${marked.map(({ turn }) => turn).join(', ') || 'none'}. The table of turns below holds the same.`,
        timelineChart(trace, stoppedAt),
      ),
      chart(
        'Suspicion',
        `Suspicion after each turn${stop}. The table of turns below holds the same.`,
        suspicionChart(trace, stoppedAt),
      ),
      chart(
        'Spend with and without the stop',
        `What had been spent by each turn${stop}. The table of spend below holds the same.`,
        spendChart(trace, stoppedAt),
      ),
      chart(
        'Who followed whom',
        'Who followed whom, and how often. The table of speakers below holds the same.',
        speakerChart(trace),
      ),
    ]),
    turnTable(trace.turns),
    (trace.spend.at(-1)?.tokens ?? 0) === 0
      ? null
      : folded(
          'Spend by turn',
          ['turn', 'tokens', 'US dollars'],
          trace.spend.map(({ turn, tokens, usd }) =>
            row([turn, tokens.toLocaleString('en'), usd === null ? 'unknown' : usd.toFixed(4)]),
          ),
        ),
    folded(
      'Who followed whom, in figures',
      ['from', 'to', 'times'],
      trace.passages.map(({ from, to, count }) =>
        row([el('bdi', null, from), el('bdi', null, to), count]),
      ),
    ),
  ];
}

/** What shows the loop, side by side: in full where the turn is at hand, or else as the trip quotes it. */
function evidence({ trip, turns }: Trace): VNode | null {
  if (trip === undefined) return null;
  const marked = turns.filter(({ isEvidence }) => isEvidence);
  const quoted =
    marked.length > 0
      ? marked.map(({ turn, agent, text }) => ({ place: `turn ${turn}`, agent, text }))
      : trip.evidence.signals.map(({ index, agent, excerpt = '' }) => ({
          place: `#${index}`,
          agent,
          text: excerpt,
        }));
  if (quoted.length === 0) return null;
  const shown = quoted.slice(-MAX_EVIDENCE);
  const hidden = quoted.length - shown.length;
  const items = shown.map(({ place, agent, text }) =>
    el('li', null, [
      el('div', { class: 'dim' }, [`${place}, `, el('bdi', null, agent)]),
      el('div', { class: 'text', dir: 'auto' }, text),
    ]),
  );
  return el('div', null, [
    el(
      'h3',
      null,
      hidden > 0 ? `Evidence: the last ${shown.length} of ${quoted.length}` : 'Evidence',
    ),
    el('ol', { class: 'evidence' }, items),
  ]);
}

function turnTable(turns: readonly TracedTurn[]): VNode {
  const rows = turns.map(({ turn, agent, kind, text, isEvidence, isAfter, suspicion }) => {
    const place = isEvidence ? 'evidence' : isAfter ? 'after the stop' : '';
    const attributes = { class: isEvidence ? 'loop' : isAfter ? 'after' : undefined };
    const said = el('div', { class: 'text', dir: 'auto' }, text);
    const score = suspicion?.toFixed(1) ?? '';
    return row([turn, el('bdi', null, agent), kind, place, score, said], attributes);
  });
  const first = turns[0]?.turn ?? 1;
  const title = `Turns ${first} to ${turns.at(-1)?.turn ?? first}`;
  return folded(title, ['turn', 'speaker', 'what', '', 'suspicion', 'text'], rows);
}

function folded(title: string, head: readonly string[], rows: readonly VNode[]): VNode {
  return el('details', null, [el('summary', null, title), table(title, head, rows)]);
}
