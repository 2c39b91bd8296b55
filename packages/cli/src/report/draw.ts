import { createHash } from 'node:crypto';
import type { EChartsOption } from 'echarts/types/dist/shared';
import { useCharts } from '../vendor/charts.ts';

const init = useCharts();

/** Names of colours as a chart may have them: the style sheet of the page gives the colours, one for light and one for dark. */
export const INK = {
  text: '#010101',
  line: '#020202',
  plain: '#030303',
  loop: '#040404',
  saved: '#050505',
  paper: '#060606',
  band: '#070707',
} as const;

/** The width of a chart that is one of several in a row, or has the window of a telephone to itself. */
export const NARROW = 380;
/** The width of a chart that has a large window, or a sheet of paper, to itself. */
export const WIDE = 1000;

/** A chart as SVG without inline styles, which the policy of the page would block. */
export function draw(width: number, height: number, option: object): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    const shared = { animation: false, textStyle: { color: INK.text } };
    chart.setOption({ ...shared, ...option } as EChartsOption);
    const svg = chart
      .renderToSVGString()
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(/ (?:style|class|ecmeta_\w+)="[^"]*"/g, '');
    return withOwnIds(svg);
  } finally {
    chart.dispose();
  }
}

/** The library numbers all charts of a process: the same chart shall be the same text each time. */
function withOwnIds(svg: string): string {
  const numbered = /\bzr\d+-(?=c\d+\b)/g;
  const hash = createHash('sha256').update(svg.replace(numbered, '')).digest('hex').slice(0, 12);
  return svg.replace(numbered, `chart-${hash}-`);
}
