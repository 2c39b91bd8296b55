import { BoundedMap } from '@teamfuse/core/kit';
import type { Span } from './spans.ts';
import { nameIn } from './values.ts';

/** What a span hands down to those below it. */
const INHERITED: readonly string[] = ['gen_ai.agent.name', 'gen_ai.conversation.id'];
/** Spans that wait for their root; beyond that, the trace that began first waits no longer. */
const MAX_HELD = 2000;
/** Spans whose children may still come. */
const MAX_KNOWN = 20_000;
/** A chain of parents that is longer is a ring, or nobody's. */
const MAX_DEPTH = 100;

/** What of a span its children need. */
type Lineage = Pick<Span, 'traceId' | 'parentSpanId' | 'attributes'>;

/**
 * Holds the spans of each trace until its root has ended. A span ends before its parent, which says what agent it belongs to, and
 * may be written long before it.
 */
export class HeldSpans {
  readonly #traces: Map<string, Span[]> = new Map();
  readonly #known: BoundedMap<string, Lineage> = new BoundedMap(MAX_KNOWN);
  #count = 0;

  /** Adds spans, and gives those that wait no longer in the order of their ends, with what they inherit. */
  add(spans: readonly Span[]): readonly Span[] {
    const ended = new Set<string>();
    for (const span of spans) {
      const trace = traceOf(span);
      this.#known.set(keyOf(span, span.spanId), lineageOf(span));
      const held = this.#traces.get(trace);
      if (held === undefined) this.#traces.set(trace, [span]);
      else held.push(span);
      this.#count += 1;
      if (parentOf(span) === undefined) ended.add(trace);
    }
    let waiting = this.#count;
    for (const trace of ended) waiting -= this.#sizeOf(trace);
    for (const trace of this.#traces.keys()) {
      if (waiting <= MAX_HELD) break;
      if (ended.has(trace)) continue;
      ended.add(trace);
      waiting -= this.#sizeOf(trace);
    }
    return this.#end(ended);
  }

  /** All that still wait. */
  rest(): readonly Span[] {
    return this.#end(new Set(this.#traces.keys()));
  }

  #end(traces: ReadonlySet<string>): readonly Span[] {
    const spans = [...traces].flatMap((trace) => this.#traces.get(trace) ?? []);
    for (const trace of traces) this.#traces.delete(trace);
    this.#count -= spans.length;
    return spans
      .map((span) => ({ ...span, attributes: { ...this.#inherited(span), ...span.attributes } }))
      .sort((a, b) => (a.endMs || 0) - (b.endMs || 0));
  }

  #sizeOf(trace: string): number {
    return this.#traces.get(trace)?.length ?? 0;
  }

  #inherited(span: Span): Readonly<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    let above = this.#above(span);
    for (let depth = 0; above !== undefined && depth < MAX_DEPTH; depth++) {
      for (const name of INHERITED) found[name] ??= nameIn(above.attributes[name]);
      above = this.#above(above);
    }
    return found;
  }

  #above(span: Lineage): Lineage | undefined {
    const parent = parentOf(span);
    return parent === undefined ? undefined : this.#known.get(keyOf(span, parent));
  }
}

function lineageOf({ traceId, parentSpanId, attributes }: Span): Lineage {
  const handed = INHERITED.map((name) => [name, attributes[name]]);
  return { traceId, parentSpanId, attributes: Object.fromEntries(handed) };
}

function traceOf({ traceId }: Lineage): string {
  return nameIn(traceId) ?? '';
}

function keyOf(span: Lineage, spanId: unknown): string {
  return JSON.stringify([traceOf(span), nameIn(spanId) ?? '']);
}

/** A root has none, or one of nothing but zeros. */
function parentOf({ parentSpanId }: Lineage): string | undefined {
  const parent = nameIn(parentSpanId);
  return parent === undefined || /^0*$/.test(parent) ? undefined : parent;
}
