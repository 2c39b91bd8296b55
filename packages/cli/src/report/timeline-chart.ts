import type { Trace, TracedTurn } from '../replay/trace.ts';
import { band, GRID, speakerAxis, stopLine, turnAxis } from './axes.ts';
import { draw, INK } from './draw.ts';

const ROW_HEIGHT = 26;
const MAX_SYMBOL = 11;
const MIN_SYMBOL = 4;

/** Turns by speaker: those that the trip goes by are marked, on the ground of the loop; those after it are hollow. */
export function timelineChart(
  { turns }: Trace,
  stoppedAt: number | undefined,
  width: number,
): string {
  const numbers = turns.map(({ turn }) => turn);
  const speakers = [...new Set(turns.map(({ agent }) => agent))];
  const size = Math.min(MAX_SYMBOL, Math.max(MIN_SYMBOL, width / (1.6 * (turns.length + 1))));
  const points = (
    symbol: string,
    itemStyle: object,
    wanted: (one: TracedTurn) => boolean,
    more = {},
  ): object => ({
    type: 'scatter',
    silent: true,
    symbol,
    symbolSize: symbol === 'diamond' ? size + 4 : size,
    itemStyle: { opacity: 1, ...itemStyle },
    data: turns.filter(wanted).map(({ turn, agent }) => [turn, agent]),
    ...more,
  });
  const first = turns.find(({ isEvidence }) => isEvidence)?.turn;
  const loop = first === undefined || stoppedAt === undefined ? {} : band(first, stoppedAt);
  const hollow = { color: INK.paper, borderColor: INK.saved, borderWidth: 1.5 };
  return draw(width, 56 + ROW_HEIGHT * speakers.length, {
    grid: GRID,
    xAxis: turnAxis(numbers),
    yAxis: speakerAxis(speakers, width / 5),
    series: [
      points('circle', { color: INK.plain }, (one) => !one.isEvidence && !one.isAfter, {
        ...loop,
        ...stopLine(stoppedAt),
      }),
      points('circle', hollow, (one) => one.isAfter),
      points('diamond', { color: INK.loop }, (one) => one.isEvidence),
    ],
  });
}
