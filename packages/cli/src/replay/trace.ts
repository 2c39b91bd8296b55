import { Breaker, type BreakerOptions, type Signal, type Trip } from '@teamfuse/core';
import { type AnalyzedSignal, type Detector, suspicionLimit } from '@teamfuse/core/detectors';
import { type Disclosure, internalsOf, type SignalKind } from '@teamfuse/core/kit';
import { cleanForPage } from '../output/clean.ts';
import { isTurn, type SpendCounter } from './spend.ts';

/** One turn of a conversation. */
export interface TracedTurn {
  /** From 1. */
  readonly turn: number;
  readonly agent: string;
  readonly kind: SignalKind;
  readonly text: string;
  /** Whether the trip goes by it. */
  readonly isEvidence: boolean;
  /** Whether it came after the trip. */
  readonly isAfter: boolean;
  /** The suspicion after it, and the one that stops, where they are known. */
  readonly suspicion?: number | undefined;
  readonly stopAt?: number | undefined;
}

/** What had been spent after a turn. */
export interface SpendPoint {
  readonly turn: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly isEstimate: boolean;
}

/** How often one speaker followed another. */
export interface Passage {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** How a conversation went. Plain JSON data of bounded size. */
export interface Trace {
  /** The turns before the trip and a few after it; earlier and later ones are left out. */
  readonly turns: readonly TracedTurn[];
  readonly spend: readonly SpendPoint[];
  readonly passages: readonly Passage[];
}

/** The name that groups all further speakers. */
export const OTHERS = 'others';

const UNUSED = { tokens: 0, usd: null, isEstimate: false };
const MAX_BEFORE = 120;
const MAX_AFTER = 40;
const MAX_POINTS = 200;
const MAX_SPEAKERS = 12;
const TEXT_LENGTH = 600;
const NAME_LENGTH = 40;

type OpenTurn = Omit<TracedTurn, 'isEvidence' | 'isAfter'> & { readonly index: number };

/** Writes down how a conversation goes, in bounded memory. */
export class Tracer {
  readonly #options: BreakerOptions;
  readonly #disclosure: Disclosure;
  readonly #speakers = new Set<string>();
  readonly #passages = new Map<string, Passage>();
  #before: OpenTurn[] = [];
  readonly #after: OpenTurn[] = [];
  #spend: SpendPoint[] = [];
  #stride = 1;
  #last: SpendPoint = { turn: 0, ...UNUSED };
  #speaker: string | undefined;
  #step: AnalyzedSignal | undefined;
  #trip: Trip | undefined;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#disclosure = internalsOf(new Breaker(options)).disclosure;
  }

  /** A detector that finds nothing, and shows the measures of each step. */
  readonly detector = (): Detector => ({
    kind: 'custom:trace',
    observe: (step) => {
      this.#step = step;
      return undefined;
    },
    reset() {},
    snapshot: () => null,
    restore() {},
  });

  /** Adds the next signal with the spend so far, and its trip if it caused one. */
  add(signal: Signal, spent: SpendCounter, trip?: Trip): void {
    const step = this.#step;
    this.#step = undefined;
    this.#last = pointOf(spent);
    if (isTurn(signal)) this.#turn(signal, spent.turns, step, trip?.index ?? -1);
    this.#trip ??= trip;
  }

  /** A request tripped the circuit, so that no signal of it follows. */
  stop(trip: Trip): void {
    this.#trip ??= trip;
  }

  get trace(): Trace {
    const indices = new Set(this.#trip?.evidence.indices);
    const shown = (isAfter: boolean) => {
      return ({ index, ...turn }: OpenTurn): TracedTurn => ({
        ...turn,
        isAfter,
        isEvidence: !isAfter && indices.has(index),
      });
    };
    const turns = this.#before.slice(-MAX_BEFORE).map(shown(false));
    return {
      turns: [...turns, ...this.#after.map(shown(true))],
      spend: [...this.#spend.filter(({ turn }) => turn < this.#last.turn), this.#last].map(
        // Nothing is estimated once usage is reported.
        (point) => (this.#last.isEstimate ? point : { ...point, ...(point.isEstimate && UNUSED) }),
      ),
      passages: [...this.#passages.values()],
    };
  }

  #turn(signal: Signal, turn: number, step: AnalyzedSignal | undefined, tripIndex: number): void {
    const agent = this.#nameOf(signal.agent);
    this.#pass(agent);
    this.#point();
    if (this.#after.length >= MAX_AFTER) return;
    const text = this.#disclosure.hasExcerpts
      ? cleanForPage(this.#disclosure.redacted(textOf(signal)), TEXT_LENGTH)
      : '';
    const open = { turn, agent, kind: signal.kind, text, index: step?.index ?? tripIndex };
    if (this.#trip !== undefined) {
      this.#after.push(open);
      return;
    }
    const suspicion = step?.suspicion;
    const stopAt = suspicion && suspicionLimit(this.#options, suspicion);
    this.#before.push({ ...open, suspicion: suspicion?.score, stopAt });
    if (this.#before.length > 2 * MAX_BEFORE) this.#before = this.#before.slice(-MAX_BEFORE);
  }

  #pass(to: string): void {
    const from = this.#speaker;
    this.#speaker = to;
    if (from === undefined) return;
    const key = JSON.stringify([from, to]);
    const count = (this.#passages.get(key)?.count ?? 0) + 1;
    this.#passages.set(key, { from, to, count });
  }

  /** Once there are too many points, every second one goes. */
  #point(): void {
    if (this.#last.turn % this.#stride > 0) return;
    this.#spend.push(this.#last);
    if (this.#spend.length <= MAX_POINTS) return;
    this.#stride *= 2;
    this.#spend = this.#spend.filter((point) => point.turn % this.#stride === 0);
  }

  #nameOf(agent: string): string {
    const name = cleanForPage(agent, NAME_LENGTH).replaceAll('\n', ' ') || '-';
    if (this.#speakers.has(name)) return name;
    if (this.#speakers.size >= MAX_SPEAKERS) return OTHERS;
    this.#speakers.add(name);
    return name;
  }
}

function pointOf({ spend: { turns: turn, tokens, usd, isEstimate } }: SpendCounter): SpendPoint {
  return { turn, tokens, usd, isEstimate };
}

/** What a signal says, in words. */
function textOf(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
      return signal.text;
    case 'human-input':
      return signal.text ?? signal.decision ?? '';
    case 'handoff':
      return `to ${signal.to}: ${signal.text ?? ''}`;
    case 'execution':
      return `${signal.code}\nexit code ${signal.exitCode}: ${signal.output}`;
    case 'tool-call': {
      const outcome = signal.error?.message ?? JSON.stringify(signal.result);
      return `${signal.tool}(${JSON.stringify(signal.args)}): ${outcome}`;
    }
    default:
      return '';
  }
}
