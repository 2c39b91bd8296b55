import { type Attributes, context, type Span, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** A value of a metric: a sum, the last value, or how often a histogram was told something, by its attributes. */
export type Values = Readonly<Record<string, number>>;

/** A span or an event in one. */
interface TestEvent {
  readonly name: string;
  readonly attributes: Attributes | undefined;
}

interface TestSpan extends TestEvent {
  readonly events: readonly TestEvent[];
}

/** An SDK that keeps what it is told. */
export class Collecting {
  readonly #spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly tracerProvider: BasicTracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(this.#spans)],
  });
  readonly meterProvider: MeterProvider = new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({
        exporter: this.#metrics,
        exportIntervalMillis: 2 ** 31 - 1,
      }),
    ],
  });

  /** The spans that ended, as they are told: name, attributes, and the events in them. */
  get spans(): readonly TestSpan[] {
    return this.#spans.getFinishedSpans().map(({ name, attributes, events }) => ({
      name,
      attributes,
      events: events.map((event) => ({ name: event.name, attributes: event.attributes })),
    }));
  }

  /** What was measured under a name, by attributes as JSON. */
  async valuesOf(name: string): Promise<Values> {
    this.#metrics.reset();
    await this.meterProvider.forceFlush();
    const metrics = this.#metrics
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      .filter(({ descriptor }) => descriptor.name === name);
    return Object.fromEntries(
      metrics.flatMap(({ dataPoints }) =>
        dataPoints.map(({ attributes, value }) => [
          JSON.stringify(attributes),
          typeof value === 'number' ? value : value.count,
        ]),
      ),
    );
  }

  /** Does something within a span of the name `work`. */
  within(work: (span: Span) => void): void {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const tracer = this.tracerProvider.getTracer('test');
    const span = tracer.startSpan('work');
    context.with(trace.setSpan(context.active(), span), () => work(span));
    span.end();
    context.disable();
  }
}
