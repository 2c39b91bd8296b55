import type { JsonValue } from '../common/json.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import { isRefusedCall } from '../signal/request.ts';
import { type Codec, count, record } from '../state/codec.ts';

/** Counts since the breaker was created; a reset does not clear them. */
export interface Counters {
  readonly messages: number;
  /** Finished model calls. */
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly executions: number;
  /** Steps that failed or were turned away. */
  readonly failures: number;
  /** Steps that the breaker refused. */
  readonly refusals: number;
  /** How often a circuit opened. */
  readonly trips: number;
}

type Count = { -readonly [K in keyof Counters]: Counters[K] };

const NONE: Counters = {
  messages: 0,
  modelCalls: 0,
  toolCalls: 0,
  executions: 0,
  failures: 0,
  refusals: 0,
  trips: 0,
};
const COUNTERS: Codec<Counters> = record<Counters>(
  Object.fromEntries(Object.keys(NONE).map((name) => [name, count])) as Record<
    keyof Counters,
    Codec<number>
  >,
);

const COUNTED = {
  message: 'messages',
  usage: 'modelCalls',
  'tool-call': 'toolCalls',
  execution: 'executions',
} as const;

/** The sum of what was counted. */
export function total(all: readonly Counters[]): Counters {
  const names = Object.keys(NONE) as readonly (keyof Counters)[];
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)]);
  return Object.fromEntries(sums);
}

/** Counts what happens, for one conversation and for all of a breaker. */
export class Tally {
  readonly #all: Tally | undefined;
  #count: Count = { ...NONE };

  constructor(all?: Tally) {
    this.#all = all;
  }

  get counters(): Counters {
    return { ...this.#count };
  }

  observed({ signal, failure }: AnalyzedSignal): void {
    const { kind } = signal;
    if (isRefusedCall(signal)) return;
    if (Object.hasOwn(COUNTED, kind)) this.add(COUNTED[kind as keyof typeof COUNTED]);
    if (failure !== undefined && kind !== 'message') this.add('failures');
  }

  add(name: keyof Counters): void {
    this.#count[name]++;
    this.#all?.add(name);
  }

  snapshot(): JsonValue {
    return COUNTERS.write(this.#count);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#count = { ...COUNTERS.read(path, snapshot) };
  }
}
