import { type Attributes, type Tracer, trace } from '@opentelemetry/api';
import type { Trip } from '@teamfuse/core';
import type { InstrumentableBreaker } from './instrumentable-breaker.ts';
import { ATTRIBUTES, EVENTS } from './names.ts';

/** What an operator looks up: why a team was stopped, what was refused, what a judge said. */
export class Happenings {
  readonly #tracer: Tracer;
  readonly #attributes: Attributes;

  constructor(tracer: Tracer, attributes: Attributes) {
    this.#tracer = tracer;
    this.#attributes = attributes;
  }

  follow(breaker: InstrumentableBreaker): () => void {
    const ends = [
      breaker.on('trip', (trip) => this.#tell(EVENTS.trip, tripAttributes(trip))),
      breaker.on('refusal', ({ request: { kind, agent }, trip, conversation }) =>
        this.#tell(EVENTS.refusal, {
          ...tripAttributes(trip),
          [ATTRIBUTES.conversation]: conversation,
          [ATTRIBUTES.signal]: kind,
          [ATTRIBUTES.agent]: agent,
        }),
      ),
      breaker.on('answer', ({ probability, reason, conversation }) =>
        this.#tell(EVENTS.answer, {
          [ATTRIBUTES.evaluation]: 'teamfuse.judge',
          [ATTRIBUTES.score]: probability,
          [ATTRIBUTES.explanation]: reason,
          [ATTRIBUTES.conversation]: conversation,
        }),
      ),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #tell(name: string, about: Attributes): void {
    const attributes = { ...this.#attributes, ...about };
    const active = trace.getActiveSpan();
    if (active?.isRecording()) active.addEvent(name, attributes);
    else this.#tracer.startSpan(name, { attributes }).end();
  }
}

function tripAttributes({ kind, basis, reason, conversation, evidence }: Trip): Attributes {
  return {
    [ATTRIBUTES.kind]: kind,
    [ATTRIBUTES.basis]: basis,
    [ATTRIBUTES.reason]: reason,
    [ATTRIBUTES.conversation]: conversation,
    ...(evidence.purse !== undefined && { [ATTRIBUTES.purse]: evidence.purse }),
  };
}
