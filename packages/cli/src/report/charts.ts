import type { EChartsOption } from 'echarts/types/dist/shared';
import { OTHERS, type SpendPoint, type Trace } from '../replay/trace.ts';
import { draw, INK } from './draw.ts';

type Axis = { readonly name: string; readonly [option: string]: unknown };

const LINE = { lineStyle: { color: INK.line } };
const LEGEND = {
  top: 0,
  left: 0,
  itemWidth: 16,
  itemHeight: 10,
  itemGap: 24,
  textStyle: { color: INK.text },
};
const ROW_HEIGHT = 26;

function gridBelow(top: number): object {
  return {
    left: 8,
    right: 24,
    top,
    bottom: 40,
    outerBoundsMode: 'same',
    outerBoundsContain: 'axisLabel',
  };
}

function turnAxis(turns: readonly number[]): Axis {
  const [min = 1] = turns;
  return {
    name: 'turn',
    nameLocation: 'middle',
    nameGap: 26,
    nameTextStyle: { color: INK.text },
    type: 'value',
    min,
    max: Math.max(min + 1, turns.at(-1) ?? 1),
    minInterval: 1,
    axisLabel: { color: INK.text },
    axisLine: LINE,
    splitLine: { show: false },
  };
}

function amountAxis(name: string): Axis {
  return {
    name,
    nameTextStyle: { color: INK.text, align: 'left' },
    type: 'value',
    min: 0,
    axisLabel: { color: INK.text },
    splitLine: LINE,
  };
}

function stopLine(at: number | undefined): object {
  if (at === undefined) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: INK.loop, type: 'dashed' },
      label: { formatter: 'stop', color: INK.loop, textBorderWidth: 0 },
      data: [{ xAxis: at }],
    },
  };
}

/** Turns by speaker: those that the trip goes by are marked, those after it are hollow. */
export function timelineChart({ turns }: Trace, stoppedAt: number | undefined): string {
  const speakers = [...new Set(turns.map(({ agent }) => agent))].reverse();
  const points = (wanted: (one: Trace['turns'][number]) => boolean): [number, string][] =>
    turns.filter(wanted).map(({ turn, agent }) => [turn, agent]);
  const series = (
    name: string,
    symbol: string,
    color: string,
    data: [number, string][],
  ): object => ({
    type: 'scatter',
    name,
    silent: true,
    symbol,
    symbolSize: symbol === 'diamond' ? 14 : 9,
    itemStyle: { color, opacity: 1 },
    data,
  });
  const option = {
    legend: LEGEND,
    grid: gridBelow(44),
    xAxis: turnAxis(turns.map(({ turn }) => turn)),
    yAxis: {
      type: 'category',
      data: speakers,
      axisLabel: { color: INK.text, width: 150, overflow: 'truncate' },
      axisLine: LINE,
      axisTick: { show: false },
    },
    series: [
      {
        ...series(
          'turn',
          'circle',
          INK.plain,
          points((one) => !one.isEvidence && !one.isAfter),
        ),
        ...stopLine(stoppedAt),
      },
      series(
        'evidence of the trip',
        'diamond',
        INK.loop,
        points((one) => one.isEvidence),
      ),
      {
        ...series(
          'after the stop',
          'circle',
          INK.paper,
          points((one) => one.isAfter),
        ),
        itemStyle: { color: INK.paper, borderColor: INK.saved, borderWidth: 2, opacity: 1 },
      },
    ].filter(({ data }: { data?: readonly unknown[] }) => data !== undefined && data.length > 0),
  };
  return draw(100 + ROW_HEIGHT * speakers.length, option as EChartsOption);
}

/** Suspicion after each turn, and the one that stops. Empty where none is known. */
export function suspicionChart({ turns }: Trace, stoppedAt: number | undefined): string {
  const known = turns.filter(({ suspicion }) => suspicion !== undefined);
  if (known.length === 0) return '';
  const line = (name: string, color: string, type: string, data: readonly unknown[]): object => ({
    type: 'line',
    name,
    silent: true,
    symbol: known.length === 1 ? 'circle' : 'none',
    color,
    lineStyle: { color, width: 2, type },
    data,
  });
  const option = {
    legend: LEGEND,
    grid: gridBelow(60),
    xAxis: turnAxis(known.map(({ turn }) => turn)),
    yAxis: amountAxis('suspicion'),
    series: [
      {
        ...line(
          'suspicion',
          INK.plain,
          'solid',
          known.map(({ turn, suspicion }) => [turn, suspicion]),
        ),
        ...stopLine(stoppedAt),
      },
      line(
        'stops at',
        INK.loop,
        'dotted',
        known.map(({ turn, stopAt }) => [turn, stopAt ?? null]),
      ),
    ],
  };
  return draw(240, option as EChartsOption);
}

/** What was spent in all by each turn, and what would have been with the stop. Empty where nothing was reported. */
export function spendChart({ spend }: Trace, stoppedAt: number | undefined): string {
  const last = spend.at(-1);
  if (last === undefined || last.tokens === 0) return '';
  const isMoney = (last.usd ?? 0) > 0;
  const amount = ({ usd, tokens }: SpendPoint): number => (isMoney ? (usd ?? 0) : tokens);
  const line = (
    name: string,
    color: string,
    points: readonly (readonly [number, number])[],
  ): object => ({
    type: 'line',
    name,
    silent: true,
    symbol: points.length === 1 ? 'circle' : 'none',
    color,
    lineStyle: { color, width: 2 },
    data: points,
  });
  const all = spend.map((point) => [point.turn, amount(point)] as const);
  const stopped = stoppedAt ?? Number.POSITIVE_INFINITY;
  const before = all.filter(([turn]) => turn <= stopped);
  const flat = [...before, [last.turn, before.at(-1)?.[1] ?? 0] as const];
  const option = {
    legend: LEGEND,
    grid: gridBelow(60),
    xAxis: turnAxis(spend.map(({ turn }) => turn)),
    yAxis: amountAxis(isMoney ? 'US dollars' : 'tokens'),
    series: [
      { ...line('without the stop', INK.saved, all), ...stopLine(stoppedAt) },
      ...(stoppedAt === undefined ? [] : [line('with the stop', INK.plain, flat)]),
    ],
  };
  return draw(240, option as EChartsOption);
}

/** Who followed whom, and how often. Empty where nobody did. */
export function speakerChart({ passages }: Trace): string {
  const names = [...new Set(passages.flatMap(({ from, to }) => [from, to]))];
  if (names.length === 0) return '';
  const others = passages.filter(({ from, to }) => from !== to);
  const most = Math.max(...others.map(({ count }) => count));
  const nodes = names.map((name, i) => {
    const angle = (2 * Math.PI * i) / names.length;
    const own = passages.find(({ from, to }) => from === name && to === name);
    return {
      id: String(i),
      name: own === undefined ? name : `${name} (to itself: ${own.count})`,
      label: { position: sideOf(angle) },
      x: -Math.cos(angle),
      y: -Math.sin(angle),
      itemStyle: { color: name === OTHERS ? INK.saved : INK.plain },
    };
  });
  // The corners keep the scale where all speakers stand on one line.
  const corner = { symbolSize: 0, label: { show: false } };
  const corners = [-1, 1].map((place) => ({ ...corner, id: `corner${place}`, x: place, y: place }));
  const option = {
    series: [
      {
        type: 'graph',
        layout: 'none',
        preserveAspect: true,
        silent: true,
        top: 40,
        bottom: 30,
        left: 150,
        right: 150,
        symbolSize: 18,
        edgeSymbol: ['none', 'arrow'],
        edgeSymbolSize: 9,
        label: {
          show: true,
          position: 'top',
          color: INK.text,
          width: 150,
          overflow: 'truncate',
          textBorderWidth: 0,
        },
        edgeLabel: {
          show: true,
          formatter: '{c}',
          rotate: 0,
          color: INK.text,
          textBorderColor: INK.paper,
          textBorderWidth: 3,
        },
        data: [...nodes, ...corners],
        links: others.map(({ from, to, count }) => ({
          source: String(names.indexOf(from)),
          target: String(names.indexOf(to)),
          value: count,
          lineStyle: {
            color: INK.saved,
            width: 1 + (4 * count) / most,
            opacity: 1,
            curveness: 0.2,
          },
        })),
      },
    ],
  };
  return draw(names.length > 2 ? 340 : 200, option as EChartsOption);
}

/** Where a name is out of the way of the lines. */
function sideOf(angle: number): string {
  if (Math.cos(angle) > 0.3) return 'left';
  if (Math.cos(angle) < -0.3) return 'right';
  return Math.sin(angle) < 0 ? 'bottom' : 'top';
}
