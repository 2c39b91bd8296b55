// What a signal takes without instruments, with them but without an SDK, and with one. `npm run bench:otel`.
import {
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { Breaker } from '@teamfuse/core';
import { instrumentBreaker } from '@teamfuse/otel';

const SIGNALS = 20_000;
const ROUNDS = 7;

const sdk = {
  meterProvider: new MeterProvider({
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new InMemoryMetricExporter(1),
        exportIntervalMillis: 2 ** 31 - 1,
      }),
    ],
  }),
  tracerProvider: new BasicTracerProvider(),
};
const WAYS = {
  'without it': () => {},
  'without an SDK': (breaker) => instrumentBreaker(breaker),
  'with an SDK': (breaker) => instrumentBreaker(breaker, sdk),
};

/** Microseconds that a signal takes at one breaker. */
function round(instrument) {
  const breaker = new Breaker({ reaction: 'observe', judge: false });
  const stop = instrument(breaker);
  const from = performance.now();
  for (let n = 0; n < SIGNALS; n++) {
    const agent = n % 2 ? 'writer' : 'critic';
    breaker.observe({ kind: 'message', at: n, agent, text: `Chapter ${n} is about ${n * n}.` });
  }
  const took = performance.now() - from;
  stop?.();
  return (1_000 * took) / SIGNALS;
}

// The ways take turns, so that no other program slows one of them alone. The first round warms up.
const took = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
for (let n = 0; n <= ROUNDS; n++) {
  for (const [name, instrument] of Object.entries(WAYS)) {
    const one = round(instrument);
    if (n > 0) took[name].push(one);
  }
}
const [base] = Object.values(took).map(median);
console.log('µs a signal, at the median'.padEnd(30) + 'more'.padStart(8));
for (const [name, times] of Object.entries(took)) {
  const one = median(times);
  console.log(
    `${name.padEnd(18)}${one.toFixed(2).padStart(8)}${(one - base).toFixed(2).padStart(12)}`,
  );
}

function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
