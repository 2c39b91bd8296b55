import { readFileSync } from 'node:fs';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { allHappenings } from './support/all-happenings.ts';

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** What the exporter for Prometheus says once everything has happened. */
async function exported(): Promise<string> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  await allHappenings({ meterProvider: new MeterProvider({ readers: [exporter] }) });
  const { resourceMetrics } = await exporter.collect();
  return new PrometheusSerializer().serialize(resourceMetrics);
}

const text = await exported();
const names = new Set([...text.matchAll(/^(teamfuse_\w+)/gm)].map(([, name]) => name));
const labels = new Set([...text.matchAll(/(teamfuse_\w+)="/g)].map(([, name]) => name));

describe.each(['dashboard.json', 'alerts.yaml'])('%s', (file) => {
  it('[OTL9] asks for metrics that exist', () => {
    const asked = [...read(file).matchAll(/\b(teamfuse_\w+)(?=\[|\)|\{teamfuse)/g)].map(
      ([, name]) => name,
    );
    const metrics = asked.filter((name) => !labels.has(name));
    expect(metrics.length).toBeGreaterThan(3);
    for (const name of metrics) expect(names).toContain(name);
  });

  it('[OTL9] asks for attributes that exist', () => {
    const asked = [
      ...read(file).matchAll(/by \(([^)]*)\)|\{+(teamfuse_\w+)|\$labels\.(\w+)/g),
    ].flatMap(([, list = '', one = '', label = '']) => [...list.split(', '), one, label]);
    const wanted = asked.filter((name) => name.startsWith('teamfuse_'));
    expect(wanted.length).toBeGreaterThan(2);
    for (const name of wanted) expect(labels).toContain(name);
  });
});

it('[OTL9] shows every kind of measurement but that of all signals', () => {
  const shown = read('dashboard.json');
  const kinds = [...text.matchAll(/^# TYPE (teamfuse_\w+)/gm)].map(([, name = '']) => name);
  expect(kinds).toHaveLength(12);
  expect(kinds.filter((name) => !shown.includes(name))).toEqual(['teamfuse_signals_total']);
});
