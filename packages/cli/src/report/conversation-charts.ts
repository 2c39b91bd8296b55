import { counted, usdText } from '../output/amounts.ts';
import type { Trace } from '../replay/trace.ts';
import type { VNode } from '../vendor/markup.ts';
import { NARROW, WIDE } from './draw.ts';
import { isInMoney, spendChart, suspicionChart } from './line-charts.ts';
import { chart, el, type Legend } from './parts.ts';
import { speakerChart } from './speaker-chart.ts';
import { timelineChart } from './timeline-chart.ts';

/** The charts of a conversation. Each names what it shows, and the table with the same figures. */
export function conversationCharts(trace: Trace, stoppedAt: number | undefined): VNode {
  return el('div', { class: 'charts' }, [
    timeline(trace, stoppedAt),
    chart(
      'Suspicion after each turn',
      `Suspicion after each turn${stopOf(stoppedAt)}. The table of turns below has the same data.`,
      [
        ['line', 'plain', 'suspicion'],
        ['dots', 'loop', 'stops at'],
      ],
      suspicionChart(trace, stoppedAt),
    ),
    spending(trace, stoppedAt),
    chart(
      'Who followed whom',
      'Who followed whom, and how often. The table of who followed whom below has the same data.',
      stoppedAt === undefined ? [] : [['dot', 'loop', 'in the loop']],
      speakerChart(trace),
    ),
  ]);
}

function timeline(trace: Trace, stoppedAt: number | undefined): VNode | null {
  const { turns } = trace;
  const marked = turns.filter(({ isEvidence }) => isEvidence).map(({ turn }) => turn);
  const legend: readonly (Legend | undefined)[] = [
    ['dot', 'plain', 'turn'],
    marked.length > 0 ? ['diamond', 'loop', 'evidence of the trip'] : undefined,
    turns.some(({ isAfter }) => isAfter) ? ['ring', 'saved', 'after the stop'] : undefined,
  ];
  return chart(
    'Turns by speaker',
    `Turns by speaker up to turn ${turns.at(-1)?.turn ?? 0}${stopOf(stoppedAt)}; evidence: ${marked.join(', ') || 'none'}. The table of turns below has the same data.`,
    legend.filter((one) => one !== undefined),
    timelineChart(trace, stoppedAt, WIDE),
    timelineChart(trace, stoppedAt, NARROW),
  );
}

function spending(trace: Trace, stoppedAt: number | undefined): VNode | null {
  const { spend } = trace;
  const isMoney = isInMoney(spend);
  const text = (until: number): string => {
    const { usd, tokens } = spend.findLast(({ turn }) => turn <= until) ?? { usd: 0, tokens: 0 };
    return isMoney ? usdText(usd ?? 0, spend.at(-1)?.usd ?? 0) : counted(tokens, 'token');
  };
  const all = text(Number.POSITIVE_INFINITY);
  const legend: readonly Legend[] =
    stoppedAt === undefined
      ? [['line', 'saved', all]]
      : [
          ['line', 'saved', `without the stop: ${all}`],
          ['line', 'plain', `with it: ${text(stoppedAt)}`],
        ];
  const title = isMoney ? 'Spend in US dollars' : 'Spend in tokens';
  const isEstimate = spend.at(-1)?.isEstimate === true;
  return chart(
    isEstimate ? `${title}, estimated` : title,
    `Spend up to each turn${stopOf(stoppedAt)}. The table of spend below has the same data.`,
    legend,
    spendChart(trace, stoppedAt),
  );
}

function stopOf(turn: number | undefined): string {
  return turn === undefined ? '' : `, stopped at turn ${turn}`;
}
