import type { Attributes, BatchObservableCallback, Meter } from '@opentelemetry/api';
import { internalsOf } from '@teamfuse/core/kit';
import type { InstrumentableBreaker } from './instrumentable-breaker.ts';
import { ATTRIBUTES, METRICS } from './names.ts';

const NANO_USD_PER_USD = 1e9;

/** What is counted and measured. Its attributes have few values: no conversation, and nothing that a team said. */
export class Measures {
  readonly #meter: Meter;
  readonly #attributes: Attributes;

  constructor(meter: Meter, attributes: Attributes) {
    this.#meter = meter;
    this.#attributes = attributes;
  }

  follow(breaker: InstrumentableBreaker): () => void {
    const ends = [...this.#count(breaker), this.#collect(breaker)];
    return () => {
      for (const end of ends) end();
    };
  }

  /** What is told when it happens. */
  #count(breaker: InstrumentableBreaker): readonly (() => void)[] {
    const signals = this.#counter(METRICS.signals, '{signal}', 'Signals that breakers observed');
    const findings = this.#counter(METRICS.findings, '{finding}', 'Findings of detectors');
    const trips = this.#counter(METRICS.trips, '{trip}', 'Circuits that opened');
    const refusals = this.#counter(METRICS.refusals, '{step}', 'Steps that were refused');
    const errors = this.#counter(METRICS.errors, '{error}', 'Failures beside the run');
    const saved = this.#meter.createCounter(METRICS.saved, {
      unit: '{USD}',
      description: 'Estimate: what loops would have cost by going on as long as they had',
    });
    const suspicion = this.#meter.createHistogram(METRICS.suspicion, {
      description: 'How little is new in conversations; 10 stops one without a judge',
      unit: '1',
      advice: { explicitBucketBoundaries: POINTS },
    });
    const probability = this.#meter.createHistogram(METRICS.probability, {
      description: 'How sure the judge was that a team goes in circles',
      unit: '1',
      advice: { explicitBucketBoundaries: TENTHS },
    });
    return [
      breaker.on('signal', ({ signal, suspicion: score }) => {
        signals({ [ATTRIBUTES.signal]: signal.kind });
        suspicion.record(score, this.#attributes);
      }),
      breaker.on('finding', ({ finding: { kind, level }, effect }) => {
        findings({
          [ATTRIBUTES.kind]: kind,
          [ATTRIBUTES.level]: level,
          [ATTRIBUTES.effect]: effect,
        });
      }),
      breaker.on('trip', ({ kind, basis, evidence }) => {
        const about = { [ATTRIBUTES.kind]: kind, [ATTRIBUTES.basis]: basis };
        trips(about);
        // A budget, a limit and a person may end good work.
        if (basis !== 'declared') {
          saved.add(evidence.cost.nanoUsd / NANO_USD_PER_USD, { ...this.#attributes, ...about });
        }
      }),
      breaker.on('refusal', ({ request, trip }) => {
        refusals({ [ATTRIBUTES.kind]: trip.kind, [ATTRIBUTES.signal]: request.kind });
      }),
      breaker.on('answer', (answer) => probability.record(answer.probability, this.#attributes)),
      breaker.on('error', ({ during }) => errors({ [ATTRIBUTES.during]: during })),
    ];
  }

  /** What is read when it is collected. */
  #collect(breaker: InstrumentableBreaker): () => void {
    const meter = this.#meter;
    const money = { unit: '{USD}', description: 'Reported spend, without calls of unknown price' };
    const spend = meter.createObservableCounter(METRICS.spend, money);
    const judgeSpend = meter.createObservableCounter(METRICS.judgeSpend, {
      unit: '{USD}',
      description: 'Spend on answers of the judge',
    });
    const tokens = meter.createObservableCounter(METRICS.tokens, {
      unit: '{token}',
      description: 'Reported tokens',
    });
    const unpriced = meter.createObservableCounter(METRICS.unpricedTokens, {
      unit: '{token}',
      description: 'Tokens of calls without a known price',
    });
    const open = meter.createObservableGauge(METRICS.open, {
      unit: '{circuit}',
      description: 'Kept conversations whose circuit is not closed',
    });
    const reserved = meter.createObservableGauge(METRICS.reserved, {
      unit: '{USD}',
      description: 'Reserved for model calls under way',
    });
    const reservedTokens = meter.createObservableGauge(METRICS.reservedTokens, {
      unit: '{token}',
      description: 'Tokens reserved for model calls under way',
    });
    const all = [spend, judgeSpend, tokens, unpriced, open, reserved, reservedTokens];
    const read: BatchObservableCallback = (result) => {
      const { cost, judged, stopped } = breaker;
      result.observe(spend, cost.nanoUsd / NANO_USD_PER_USD, this.#attributes);
      result.observe(judgeSpend, judged.cost.nanoUsd / NANO_USD_PER_USD, this.#attributes);
      result.observe(tokens, cost.tokens, this.#attributes);
      result.observe(unpriced, cost.unpricedTokens, this.#attributes);
      result.observe(open, stopped.length, this.#attributes);
      // A breaker of an older version does not tell.
      const held = internalsOf(breaker)?.reserved?.();
      if (held === undefined) return;
      result.observe(reserved, held.nanoUsd / NANO_USD_PER_USD, this.#attributes);
      result.observe(reservedTokens, held.tokens, this.#attributes);
    };
    meter.addBatchObservableCallback(read, all);
    return () => meter.removeBatchObservableCallback(read, all);
  }

  #counter(name: string, unit: string, description: string): (attributes: Attributes) => void {
    const counter = this.#meter.createCounter(name, { unit, description });
    return (attributes) => counter.add(1, { ...this.#attributes, ...attributes });
  }
}

const POINTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
