import type { SpendPoint, Trace } from '../replay/trace.ts';
import { amountAxis, GRID, stopLine, turnAxis } from './axes.ts';
import { draw, INK, NARROW } from './draw.ts';

const HEIGHT = 200;

type Point = readonly [turn: number, amount: number | null];

/** Suspicion after each turn, and the one that stops. Empty where none is known. */
export function suspicionChart({ turns }: Trace, stoppedAt: number | undefined): string {
  const known = turns.filter(({ suspicion }) => suspicion !== undefined);
  if (known.length === 0) return '';
  const score = known.map(({ turn, suspicion = 0 }): Point => [turn, suspicion]);
  const limit = known.map(({ turn, stopAt }): Point => [turn, stopAt ?? null]);
  return lineChart(score, [
    { ...line(INK.plain, 'solid', score), ...stopLine(stoppedAt) },
    line(INK.loop, 'dotted', limit),
  ]);
}

/** What was spent in all by each turn, and what would have been with the stop. Empty where nothing was reported. */
export function spendChart({ spend }: Trace, stoppedAt: number | undefined): string {
  const last = spend.at(-1);
  if (last === undefined || last.tokens === 0) return '';
  const isMoney = isInMoney(spend);
  const all = spend.map((one): Point => [one.turn, isMoney ? (one.usd ?? 0) : one.tokens]);
  const before = all.filter(([turn]) => turn <= (stoppedAt ?? Number.POSITIVE_INFINITY));
  const flat: Point[] = [...before, [last.turn, before.at(-1)?.[1] ?? 0]];
  return lineChart(all, [
    { ...line(INK.saved, 'solid', all), ...stopLine(stoppedAt) },
    ...(stoppedAt === undefined ? [] : [line(INK.plain, 'solid', flat)]),
  ]);
}

/** Whether a price is known, so that money can be drawn; tokens are otherwise. */
export function isInMoney(spend: readonly SpendPoint[]): boolean {
  return (spend.at(-1)?.usd ?? 0) > 0;
}

function lineChart(points: readonly Point[], series: readonly object[]): string {
  return draw(NARROW, HEIGHT, {
    grid: GRID,
    xAxis: turnAxis(points.map(([turn]) => turn)),
    yAxis: amountAxis(),
    series,
  });
}

function line(color: string, type: string, data: readonly Point[]): object {
  return {
    type: 'line',
    silent: true,
    symbol: data.length === 1 ? 'circle' : 'none',
    color,
    lineStyle: { color, width: 2, type },
    data,
  };
}
