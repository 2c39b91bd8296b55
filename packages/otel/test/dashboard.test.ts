import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { instrumentBreaker } from '../src/index.ts';
import { allHappenings } from './support/all-happenings.ts';
import { labelsAsked, labelsIn, metricsAsked, namesIn, read, WATCHING } from './support/asked.ts';

/** What the exporter for Prometheus says once everything has happened. */
async function exported(): Promise<string> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  await allHappenings((breaker) => instrumentBreaker(breaker, { meterProvider }));
  const { resourceMetrics } = await exporter.collect();
  return new PrometheusSerializer().serialize(resourceMetrics);
}

const text = await exported();
const names = namesIn(text);
const labels = labelsIn(text);

describe.each(WATCHING)('%s', (file) => {
  it('[OTL9] asks for metrics that exist', () => {
    const metrics = metricsAsked(file, labels);
    expect(metrics.length).toBeGreaterThan(3);
    for (const name of metrics) expect(names).toContain(name);
  });

  it('[OTL9] asks for attributes that exist', () => {
    const wanted = labelsAsked(file);
    expect(wanted.length).toBeGreaterThan(2);
    for (const name of wanted) expect(labels).toContain(name);
  });
});

it('[OTL9] shows every kind of measurement but that of all signals', () => {
  const shown = read('dashboard.json');
  const kinds = [...text.matchAll(/^# TYPE (teamfuse_\w+)/gm)].map(([, name = '']) => name);
  expect(kinds).toHaveLength(15);
  expect(kinds.filter((name) => !shown.includes(name))).toEqual(['teamfuse_signals_total']);
});
