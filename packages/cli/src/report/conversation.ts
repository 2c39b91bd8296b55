import { counted, spendText, usdText } from '../output/amounts.ts';
import type { Replayed, ReplayedTrip } from '../replay/replay.ts';
import type { Trace, TracedTurn } from '../replay/trace.ts';
import type { VNode } from '../vendor/markup.ts';
import { conversationCharts } from './conversation-charts.ts';
import { classOf, evidence } from './evidence.ts';
import { el, folded, joined, table } from './parts.ts';

/** The section of one conversation. */
export function conversation(replayed: Replayed, number: number): VNode {
  const { id, title, team, source, turns, trips, spent, saved, trace } = replayed;
  const [trip] = trips;
  const label = `c${number}-title`;
  const fact = (name: string, value: string): VNode =>
    el('div', null, [el('dt', null, name), el('dd', null, value)]);
  return el('section', { class: 'conversation', id: `c${number}`, 'aria-labelledby': label }, [
    el('h2', { id: label }, el('bdi', null, title)),
    el('p', { class: 'dim place' }, joined([team, id, source].filter((name) => name !== title))),
    trip === undefined
      ? el('p', null, `Would not have been stopped in ${counted(turns, 'turn')}.`)
      : el('p', { class: 'reason' }, [
          el('strong', null, `${trip.kind} at turn ${trip.at} of ${turns}: `),
          el('bdi', null, trip.reason),
        ]),
    el('dl', { class: 'facts' }, [
      trip === undefined ? null : fact('Would have been saved', spendText(saved)),
      fact('Spent', spendText(spent)),
    ]),
    trip === undefined
      ? null
      : el('p', { class: 'advice' }, [
          el('span', { class: 'dim' }, 'What to change: '),
          el('bdi', null, trip.advice),
        ]),
    trace === undefined ? null : details(trace, trip),
    el('p', { class: 'back' }, el('a', { href: '#c0' }, 'All conversations')),
  ]);
}

function details(trace: Trace, trip: ReplayedTrip | undefined): (VNode | null)[] {
  const { turns, spend, passages } = trace;
  return [
    evidence(trace, trip),
    conversationCharts(trace, trip?.at),
    turnTable(turns),
    (spend.at(-1)?.tokens ?? 0) === 0 ? null : spendTable(trace),
    passages.length === 0 ? null : passageTable(trace),
  ];
}

function turnTable(turns: readonly TracedTurn[]): VNode {
  const rows = turns.map(({ turn, agent, kind, text, isEvidence, isAfter, suspicion }) => ({
    class: isEvidence ? 'loop' : isAfter ? 'after' : undefined,
    cells: [
      turn,
      el('bdi', null, agent),
      kind,
      isEvidence ? 'evidence' : isAfter ? 'after the stop' : '',
      suspicion?.toFixed(1) ?? '',
      el('div', { class: classOf(kind), dir: 'auto' }, text),
    ],
  }));
  const first = turns[0]?.turn ?? 1;
  const title = `Table of turns ${first} to ${turns.at(-1)?.turn ?? first}`;
  const columns = [
    ['turn', 'number'],
    'speaker',
    ['what', 'word'],
    ['mark', 'word'],
    ['suspicion', 'number'],
    ['text', 'long'],
  ] as const;
  return folded(title, table(title, columns, rows));
}

function spendTable({ spend }: Trace): VNode {
  const isEstimate = spend.at(-1)?.isEstimate === true;
  const title = `Table of spend by turn${isEstimate ? ', estimated' : ''}`;
  const rows = spend.map(({ turn, tokens, usd }) => ({
    cells: [turn, tokens.toLocaleString('en'), usd === null ? 'unknown' : usdText(usd)],
  }));
  const columns = [
    ['by turn', 'number'],
    ['tokens', 'number'],
    ['US dollars', 'number'],
  ] as const;
  return folded(title, table(title, columns, rows));
}

function passageTable({ passages }: Trace): VNode {
  const title = 'Table of who followed whom';
  const rows = passages.map(({ from, to, count }) => ({
    cells: [el('bdi', null, from), el('bdi', null, to), count],
  }));
  return folded(title, table(title, ['from', 'to', ['times', 'number']], rows));
}
