import { GraphChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, MarkAreaComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

/** The parts of echarts that a report draws with. */
export function useCharts(): typeof init {
  use([
    ScatterChart,
    LineChart,
    GraphChart,
    GridComponent,
    MarkAreaComponent,
    MarkLineComponent,
    SVGRenderer,
  ]);
  return init;
}
