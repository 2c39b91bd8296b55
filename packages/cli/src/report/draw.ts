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
} as const;

const WIDTH = 680;

/** A chart as SVG without styles of its own, which the policy of the page would refuse. */
export function draw(height: number, option: EChartsOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption({ animation: false, textStyle: { color: INK.text }, ...option });
    return chart
      .renderToSVGString()
      .replace(/<style[\s\S]*?<\/style>/g, '')
      .replace(/ (?:style|class|ecmeta_\w+)="[^"]*"/g, '');
  } finally {
    chart.dispose();
  }
}
