import { INK } from './draw.ts';

type Axis = { readonly [option: string]: unknown };

const LINE = { lineStyle: { color: INK.line } };

/** Room for the labels of the axes and for what stands above the chart. */
export const GRID = {
  left: 4,
  right: 14,
  top: 24,
  bottom: 4,
  outerBoundsMode: 'same',
  outerBoundsContain: 'axisLabel',
};

/** The numbers of turns. */
export function turnAxis(turns: readonly number[]): Axis {
  const [min = 1] = turns;
  return {
    type: 'value',
    min,
    max: Math.max(min + 1, turns.at(-1) ?? 1),
    minInterval: 1,
    axisLabel: { color: INK.text, hideOverlap: true },
    axisLine: LINE,
    splitLine: { show: false },
  };
}

/** An amount from nothing up. */
export function amountAxis(): Axis {
  return {
    type: 'value',
    min: 0,
    splitNumber: 4,
    axisLabel: { color: INK.text },
    splitLine: LINE,
  };
}

/** The names of speakers, the first one on top. */
export function speakerAxis(names: readonly string[], width: number): Axis {
  return {
    type: 'category',
    data: [...names].reverse(),
    axisLabel: { color: INK.text, width, overflow: 'truncate' },
    axisLine: LINE,
    axisTick: { show: false },
  };
}

/** A line where the team would have been stopped; nothing if it would not. */
export function stopLine(at: number | undefined): object {
  if (at === undefined) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: INK.loop, type: 'dashed', width: 1.5 },
      label: { formatter: 'stop', color: INK.loop, textBorderWidth: 0, distance: 4 },
      data: [{ xAxis: at }],
    },
  };
}

/** A stretch of turns with its own background. */
export function band(from: number, to: number): object {
  return {
    markArea: {
      silent: true,
      itemStyle: { color: INK.band, opacity: 1 },
      data: [[{ xAxis: from }, { xAxis: to }]],
    },
  };
}
