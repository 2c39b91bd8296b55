import {
  type Attributes,
  type MeterProvider,
  metrics,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import { checkNames, type OptionNames, orInvalid } from '@teamfuse/core/options';
import { Happenings } from './happenings.ts';
import type { InstrumentableBreaker } from './instrumentable-breaker.ts';
import { Measures } from './measures.ts';
import { SCOPE } from './names.ts';

/** Options of {@link instrumentBreaker}. */
export interface InstrumentOptions {
  /** Attributes of every measurement and event, such as the team's name. Each value makes a series of its own. @defaultValue none */
  readonly attributes?: Attributes;
  /** Where measurements go. @defaultValue the global provider */
  readonly meterProvider?: MeterProvider;
  /** Where events go that happen outside a span. @defaultValue the global provider */
  readonly tracerProvider?: TracerProvider;
}

const NAMES: OptionNames<InstrumentOptions> = {
  attributes: true,
  meterProvider: true,
  tracerProvider: true,
};

/**
 * Tells OpenTelemetry what happens in a breaker from now on, until the function that it returns is called. Without an SDK nothing is
 * told.
 *
 * Trips, refusals and answers of a judge are events of the span that is active, or spans of their own where none is. They hold the
 * reason, which quotes what the team said unless the breaker has `excerpts: false`; measurements quote nothing.
 *
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 * @example
 * ```ts
 * const breaker = new Breaker({ budget: { maxUsd: 5 } });
 * const stop = instrumentBreaker(breaker, { attributes: { 'team.name': 'research' } });
 * stop();
 * ```
 */
export function instrumentBreaker(
  breaker: InstrumentableBreaker,
  options: InstrumentOptions = {},
): () => void {
  checkNames('', options, NAMES);
  if (!isBreaker(breaker)) throw new InvalidOptionError('breaker', 'a Breaker', breaker);
  const attributes = attributesIn(options.attributes ?? {});
  const { meterProvider = metrics, tracerProvider = trace } = options;
  const meter = provided('meterProvider', meterProvider, (from) => from.getMeter(SCOPE));
  const tracer = provided('tracerProvider', tracerProvider, (from) => from.getTracer(SCOPE));
  const ends = [
    new Measures(meter, attributes).follow(breaker),
    new Happenings(tracer, attributes).follow(breaker),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function isBreaker(value: unknown): boolean {
  try {
    return typeof (value as Breaker).on === 'function' && 'stopped' in (value as Breaker);
  } catch {
    return false;
  }
}

function attributesIn(given: Attributes): Attributes {
  const expected = 'an object of attributes';
  return orInvalid('attributes', expected, given, () => {
    // The letters of a text, spread, would be attributes.
    if (typeof given !== 'object' || Array.isArray(given)) {
      throw new InvalidOptionError('attributes', expected, given);
    }
    const attributes = { ...given };
    for (const [name, value] of Object.entries(attributes)) {
      if ([value].flat().every(isPlain)) continue;
      const values = 'a text, a number, true, false, or an array of these';
      throw new InvalidOptionError(`attributes.${name}`, values, value);
    }
    return attributes;
  });
}

/** Whether OpenTelemetry takes a value; it leaves out what is nothing. */
function isPlain(value: unknown): boolean {
  return value == null || ['string', 'number', 'boolean'].includes(typeof value);
}

function provided<P, T>(option: string, provider: P, read: (provider: P) => T): T {
  try {
    return read(provider);
  } catch {
    throw new InvalidOptionError(option, `a provider of OpenTelemetry`, provider);
  }
}
