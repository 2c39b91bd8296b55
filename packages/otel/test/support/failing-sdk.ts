import { DiagLogLevel, diag, type MeterProvider, type TracerProvider } from '@opentelemetry/api';
import {
  AggregationTemporality,
  MeterProvider as MeterSdk,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const FAILED = 1;
/** The SDK keeps the process alive for so long after an exporter has thrown. */
const TIMEOUT_MS = 10;

/** An SDK that cannot export what it is told. */
export class FailingSdk {
  readonly tracerProvider: BasicTracerProvider;
  readonly meterProvider: MeterSdk;

  /** @param told is called when the SDK tells of a failure. */
  constructor(fail: () => Promise<never>, told: () => void) {
    diag.setLogger(
      { error: told, warn() {}, info() {}, debug() {}, verbose() {} },
      { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
    );
    const exporter = {
      export: (_: unknown, done: (result: { code: number; error: Error }) => void): void => {
        fail().catch((error: Error) => done({ code: FAILED, error }));
      },
      selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
      forceFlush: async () => {},
      shutdown: async () => {},
    };
    this.tracerProvider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const times = { exportIntervalMillis: 2 ** 30, exportTimeoutMillis: TIMEOUT_MS };
    const reader = new PeriodicExportingMetricReader({ exporter, ...times });
    this.meterProvider = new MeterSdk({ readers: [reader] });
  }
}

/** Providers whose instruments and spans throw. */
export function failingProviders(): {
  readonly tracerProvider: TracerProvider;
  readonly meterProvider: MeterProvider;
} {
  const fail = (): never => {
    throw new Error('no instrument');
  };
  const instrument = { add: fail, record: fail, addCallback: fail, removeCallback: fail };
  const meter = new Proxy({}, { get: () => () => instrument });
  const tracer = { startSpan: fail, startActiveSpan: fail };
  return {
    tracerProvider: { getTracer: () => tracer },
    meterProvider: { getMeter: () => meter },
  } as object as { tracerProvider: TracerProvider; meterProvider: MeterProvider };
}
