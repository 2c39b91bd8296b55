export { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
export { MeterProvider } from '@opentelemetry/sdk-metrics';
