import { HeldSpans } from '../transcript/held-spans.ts';
import { type Span, SpanTeller } from '../transcript/spans.ts';
import { Transcript } from '../transcript/transcript.ts';
import { fieldsOf, nameIn, recordsOf } from '../transcript/values.ts';
import type { Format, Recording } from './format.ts';

const MAX_TRACES = 1000;

interface Trace {
  readonly transcript: Transcript;
  readonly teller: SpanTeller;
}

/** OpenTelemetry spans with the GenAI attributes, as OTLP JSON: one export request, or one a line. */
export const otlp: Format = {
  id: 'otlp',
  title: 'OTLP JSON with resourceSpans',
  recognise: ({ values }) => values.some((value) => Array.isArray(fieldsOf(value)?.resourceSpans)),
  async *read({ source, broken, values }) {
    const held = new HeldSpans();
    const traces = new Map<string, Trace>();
    const tell = (span: Span): void => {
      const id = nameIn(span.attributes['gen_ai.conversation.id'], span.traceId) ?? source;
      const trace = traces.get(id) ?? begin();
      traces.delete(id);
      traces.set(id, trace);
      trace.teller.tell(span);
    };
    const told = function* (): Generator<Recording> {
      for (const [id, { transcript }] of traces) {
        const signals = transcript.take();
        if (signals.length > 0) yield { id, source, signals, isOpen: true };
      }
    };
    for await (const batch of values()) {
      for (const { line, value } of batch) {
        if (!Array.isArray(fieldsOf(value)?.resourceSpans)) {
          broken(line, `expected ${otlp.title}`);
          continue;
        }
        for (const span of held.add(spansIn(value))) tell(span);
      }
      yield* told();
      for (const id of [...traces.keys()].slice(0, -MAX_TRACES)) traces.delete(id);
    }
    for (const span of held.rest()) tell(span);
    yield* told();
  },
};

function begin(): Trace {
  const transcript = new Transcript();
  return { transcript, teller: new SpanTeller(transcript) };
}

/** The spans of an export request. */
function spansIn(request: unknown): readonly Span[] {
  return recordsOf(fieldsOf(request)?.resourceSpans)
    .flatMap(({ scopeSpans }) => recordsOf(scopeSpans))
    .flatMap(({ spans }) => recordsOf(spans))
    .map((span): Span => {
      const { traceId, spanId, parentSpanId, name, attributes, events, status } = span;
      const { startTimeUnixNano, endTimeUnixNano } = span;
      return {
        traceId,
        spanId,
        parentSpanId,
        name,
        endMs: Number(nameIn(endTimeUnixNano, startTimeUnixNano) ?? endTimeUnixNano) / 1e6,
        attributes: attributesOf(attributes),
        events: recordsOf(events).map(({ name, attributes }) => ({
          name,
          attributes: attributesOf(attributes),
        })),
        isError: fieldsOf(status)?.code === 2 || fieldsOf(status)?.code === 'STATUS_CODE_ERROR',
        problem: nameIn(fieldsOf(status)?.message),
      };
    });
}

function attributesOf(list: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    recordsOf(list).map(({ key, value }) => [String(key), attributeOf(value)]),
  );
}

function attributeOf(value: unknown): unknown {
  const fields = fieldsOf(value) ?? {};
  const { arrayValue, kvlistValue, stringValue, intValue, doubleValue, boolValue } = fields;
  if (fieldsOf(arrayValue)) return recordsOf(fieldsOf(arrayValue)?.values).map(attributeOf);
  if (fieldsOf(kvlistValue)) return attributesOf(fieldsOf(kvlistValue)?.values);
  return stringValue ?? intValue ?? doubleValue ?? boolValue;
}
