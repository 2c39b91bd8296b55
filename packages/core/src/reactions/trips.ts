import type { SpendHistory } from '../budget/spend-history.ts';
import type { SignalRef, Trip } from '../circuit/trip.ts';
import { InvalidSnapshotError } from '../common/errors.ts';
import type { JsonValue } from '../common/json.ts';
import { basisOf, type Found } from '../detection/finding.ts';
import type { Disclosure } from '../disclosure/disclosure.ts';
import { rawExcerpt } from '../signal/raw-excerpt.ts';
import type { Signal, SignalKind } from '../signal/signal.ts';
import { isIndex } from '../state/codec.ts';

const CAPACITY = 512;

/** Makes trips of findings. They quote the latest 512 signals, and say what these cost. */
export class Trips {
  /** The id of the conversation. */
  readonly #id: string;
  readonly #disclosure: Disclosure;
  readonly #history: SpendHistory;
  #ring: (SignalRef | undefined)[] = [];

  constructor(id: string, disclosure: Disclosure, history: SpendHistory) {
    this.#id = id;
    this.#disclosure = disclosure;
    this.#history = history;
  }

  /** The trip of a finding, whose reason may be shown. */
  of({ finding, index, at }: Found): Trip {
    const { kind, reason, evidence } = finding;
    return {
      kind,
      basis: basisOf(finding),
      conversation: this.#id,
      reason,
      at,
      index,
      agents: evidence.agents,
      evidence: {
        ...evidence,
        signals: this.#quote(evidence.indices),
        cost: this.#history.since(evidence.indices[0] ?? index),
      },
    };
  }

  /** The trip of a stop by hand. */
  byHand(reason: string, index: number, at: number): Trip {
    const shown = this.#disclosure.reason(reason);
    const evidence = { agents: [], indices: [], count: 1, limit: 1 };
    const finding = { level: 'trip', kind: 'manual', basis: 'declared', reason: shown } as const;
    return this.of({ finding: { ...finding, evidence }, index, at });
  }

  remember(index: number, signal: Signal): void {
    const { kind, agent, at } = signal;
    this.#ring[index % CAPACITY] = this.#disclosure.hasExcerpts
      ? { index, kind, agent, at, excerpt: rawExcerpt(signal) }
      : { index, kind, agent, at };
  }

  /** Who said the latest messages, the last speaker last. */
  get speakers(): readonly string[] {
    return this.#ring
      .filter((ref) => ref !== undefined)
      .filter(({ kind }) => kind === 'message')
      .sort((one, other) => one.index - other.index)
      .map(({ agent }) => agent);
  }

  reset(): void {
    this.#ring = [];
  }

  snapshot(): JsonValue {
    return this.#ring.filter((ref) => ref !== undefined).map((ref) => ({ ...this.#shown(ref) }));
  }

  restore(snapshot: JsonValue): void {
    const isKnown = Array.isArray(snapshot) && snapshot.length <= CAPACITY;
    if (!isKnown || !snapshot.every(isRef)) {
      throw new InvalidSnapshotError('recent', 'an array of quoted signals', snapshot);
    }
    this.reset();
    for (const ref of snapshot) this.#ring[ref.index % CAPACITY] = ref;
  }

  /** The signals at these indices that are still remembered. */
  #quote(indices: readonly number[]): SignalRef[] {
    const refs: SignalRef[] = [];
    for (const index of indices) {
      const ref = this.#ring[index % CAPACITY];
      if (ref?.index !== index) continue;
      refs.push(this.#shown(ref));
    }
    return refs;
  }

  /** Excerpts are redacted only when shown, because hardly any of them ever is. */
  #shown(ref: SignalRef): SignalRef {
    const { excerpt, ...plain } = ref;
    if (excerpt === undefined || !this.#disclosure.hasExcerpts) return plain;
    return { ...plain, excerpt: this.#disclosure.excerpt(excerpt) };
  }
}

function isRef(value: unknown): value is SignalRef & { readonly kind: SignalKind } {
  const { index, kind, agent, at, excerpt } = Object(value);
  return (
    isIndex(index) &&
    typeof kind === 'string' &&
    typeof agent === 'string' &&
    Number.isFinite(at) &&
    (excerpt === undefined || typeof excerpt === 'string')
  );
}
