import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const VENDOR = fileURLToPath(new URL('../../dist/vendor/', import.meta.url));
const LICENSES = join(VENDOR, 'LICENSES.txt');

describe.skipIf(!existsSync(LICENSES))('what is bundled (needs a build)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-vendor-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('[PACK1] runs where no other package is installed, and is small', () => {
    mkdirSync(join(folder, 'vendor'));
    const files = readdirSync(VENDOR);
    for (const file of files) cpSync(join(VENDOR, file), join(folder, 'vendor', file));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const program = `
      const { useCharts } = await import('./vendor/charts.js');
      const { MeterProvider, PrometheusExporter } = await import('./vendor/prometheus.js');
      const { h, renderToString } = await import('./vendor/markup.js');
      const { Subject, auditTime } = await import('./vendor/streams.js');
      const { default: sqlite } = await import('./vendor/sqlite.js');
      const { Database } = await sqlite();
      const exporter = new PrometheusExporter({ preventServerStart: true });
      new MeterProvider({ readers: [exporter] }).getMeter('a').createCounter('b').add(1);
      const { resourceMetrics } = await exporter.collect();
      const chart = useCharts()(null, null, { renderer: 'svg', ssr: true, width: 9, height: 9 });
      console.log(
        new Database().exec('select 6 * 7')[0].values[0][0],
        renderToString(h('b', null, '<')),
        /^<svg/.test(chart.renderToSVGString()),
        typeof new Subject().pipe(auditTime(1)).subscribe,
        resourceMetrics.scopeMetrics[0].metrics[0].descriptor.name,
      );`;
    writeFileSync(join(folder, 'program.js'), program);
    const out = execFileSync(process.execPath, ['program.js'], { cwd: folder, encoding: 'utf8' });
    expect(out.trim()).toBe('42 <b>&lt;</b> true function b');
    const bytes = files.reduce((sum, file) => sum + statSync(join(VENDOR, file)).size, 0);
    expect(bytes).toBeLessThan(2_000_000);
  });

  it('[PACK2] has its licences beside it', () => {
    const text = readFileSync(LICENSES, 'utf8');
    for (const name of [
      '@opentelemetry/exporter-prometheus',
      '@opentelemetry/sdk-metrics',
      'echarts',
      'preact',
      'preact-render-to-string',
      'rxjs',
      'sql.js',
      'zrender',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
    }
    expect(text).toContain('Apache License');
    expect(text).toContain('This product includes software developed at');
  });
});
