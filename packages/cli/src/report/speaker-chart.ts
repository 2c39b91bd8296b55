import { OTHERS, type Passage, type Trace } from '../replay/trace.ts';
import { draw, INK, NARROW } from './draw.ts';

/** With more arrows than this, only the thickest have their number; the table holds them all. */
const MAX_NUMBERS = 8;
const LABEL_WIDTH = 96;

/** Who followed whom, and how often. What the loop consists of is marked. Empty where nobody followed. */
export function speakerChart({ passages, turns }: Trace): string {
  const names = [...new Set(passages.flatMap(({ from, to }) => [from, to]))];
  if (names.length === 0) return '';
  const others = passages.filter(({ from, to }) => from !== to);
  const most = Math.max(...others.map(({ count }) => count));
  const looping = new Set(turns.filter(({ isEvidence }) => isEvidence).map(({ agent }) => agent));
  const isLoop = ({ from, to }: Passage): boolean =>
    turns.some(
      ({ agent, isEvidence }, i) =>
        isEvidence && agent === to && turns[i - 1]?.isEvidence && turns[i - 1]?.agent === from,
    );
  const numbered = others.toSorted((a, b) => b.count - a.count).slice(0, MAX_NUMBERS);
  const nodes = names.map((name, i) => {
    const angle = (2 * Math.PI * i) / names.length;
    const own = passages.find(({ from, to }) => from === name && to === name);
    const color = looping.has(name) ? INK.loop : name === OTHERS ? INK.saved : INK.plain;
    return {
      id: String(i),
      name: own === undefined ? name : `${name}\nto itself: ${own.count}`,
      label: { position: sideOf(angle) },
      x: -Math.cos(angle),
      y: -Math.sin(angle),
      itemStyle: { color },
    };
  });
  // The corners keep the scale where all speakers stand on one line.
  const corner = { symbolSize: 0, label: { show: false } };
  const height = names.length > 2 ? 1 : 0.3;
  const corners = [-1, 1].map((x) => ({ ...corner, id: `corner${x}`, x, y: height * x }));
  const option = {
    type: 'graph',
    layout: 'none',
    preserveAspect: true,
    silent: true,
    top: 26,
    bottom: 26,
    left: 110,
    right: 110,
    symbolSize: 16,
    edgeSymbol: ['none', 'arrow'],
    edgeSymbolSize: 8,
    label: {
      show: true,
      color: INK.text,
      width: LABEL_WIDTH,
      overflow: 'truncate',
      lineHeight: 15,
      textBorderWidth: 0,
    },
    edgeLabel: {
      show: true,
      rotate: 0,
      color: INK.text,
      textBorderColor: INK.paper,
      textBorderWidth: 3,
    },
    data: [...nodes, ...corners],
    links: others.map((passage) => ({
      source: String(names.indexOf(passage.from)),
      target: String(names.indexOf(passage.to)),
      value: passage.count,
      label: {
        formatter: others.length <= MAX_NUMBERS || numbered.includes(passage) ? '{c}' : '',
      },
      lineStyle: {
        color: isLoop(passage) ? INK.loop : INK.saved,
        width: 1 + (3 * passage.count) / most,
        opacity: 1,
        curveness: 0.2,
      },
    })),
  };
  return draw(NARROW, names.length > 2 ? 240 : 140, { series: [option] });
}

/** Where a name is out of the way of the lines. */
function sideOf(angle: number): string {
  if (Math.cos(angle) > 0.3) return 'left';
  if (Math.cos(angle) < -0.3) return 'right';
  return Math.sin(angle) < 0 ? 'bottom' : 'top';
}
