import {
  type Breaker,
  type PriceBook,
  type RequestInput,
  redactSecrets,
  type Signal,
  type Trip,
} from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import {
  type Admission,
  type AdmissionRequest,
  costInUsd,
  falseAlarmAdvice,
  inBackground,
  internalsOf,
  isPromise,
  redactJson,
  type TokenUsage,
} from '@teamfuse/core/kit';
import type { Recording } from '../formats/format.ts';
import { TitleReader, titleOf } from '../output/title.ts';
import { UNKNOWN_MODEL } from '../transcript/transcript.ts';
import type { ReplayPolicy } from './policy.ts';
import { type Spend, SpendCounter } from './spend.ts';
import { type Trace, Tracer } from './trace.ts';

/** A trip of a replayed conversation. */
export interface ReplayedTrip {
  /** The turn that tripped it or was refused, from 1. */
  readonly at: number;
  readonly kind: FindingKind;
  readonly reason: string;
  /** What to change if it was none, as `explain` says. */
  readonly advice: string;
  readonly agents: readonly string[];
  readonly evidence: Omit<Trip['evidence'], 'agents' | 'indices' | 'cost'>;
}

/** What a policy would have done with a recorded conversation. Plain JSON data without secrets. */
export interface Replayed {
  readonly id: string;
  /** What a person would call it; its id where nothing else is known. */
  readonly title: string;
  /** The first names of the team. */
  readonly team: string;
  readonly source: string;
  readonly turns: number;
  /** Empty, or the trip that would have ended it. */
  readonly trips: readonly ReplayedTrip[];
  readonly spent: Spend;
  /** What came after the trip; all zero without one. */
  readonly saved: Spend;
  /** The trip as the breaker gave it, if that was asked for. */
  readonly trip?: Trip;
  /** How it went, turn by turn, if that was asked for. */
  readonly trace?: Trace;
}

/** What a replay needs. */
export interface ReplayOptions {
  readonly policy: ReplayPolicy;
  /** Prices of calls whose recording names none. */
  readonly prices?: PriceBook | undefined;
  /** The model of calls whose recording names none. */
  readonly model?: string | undefined;
  /** Whether to wait for a judge's answers; secrets are removed from its questions. */
  readonly isJudged?: boolean;
  /** Whether a trip is given in full as well. */
  readonly isExplained?: boolean;
  /** Called for a signal that the breaker rejects; it is left out. */
  readonly rejected: (id: string, problem: string) => void;
}

/** A stretch of a recording. */
type Stretch = Pick<Recording, 'signals' | 'runs' | 'refusals'>;

/** One recorded conversation on its way past a policy. */
export class Replay {
  readonly #id: string;
  readonly #source: string;
  readonly #options: ReplayOptions;
  readonly #breaker: Breaker;
  readonly #spent: SpendCounter;
  readonly #title: TitleReader;
  readonly #tracer: Tracer | undefined;
  #at = 0;
  #trip: Trip | undefined;
  /** The turn that tripped. */
  #trippedAt = 0;

  /** @param isTraced whether it is written down how it goes. */
  constructor(id: string, source: string, options: ReplayOptions, isTraced = false) {
    this.#id = id;
    this.#source = source;
    this.#options = options;
    const { policy } = options;
    this.#tracer = isTraced ? new Tracer(policy.options) : undefined;
    const looking = this.#tracer === undefined ? [] : [this.#tracer.detector];
    this.#breaker = policy.breaker(() => this.#at, looking);
    // What goes wrong with the judge is told by whoever has it.
    if (options.isJudged) this.#breaker.on('error', () => {});
    this.#spent = new SpendCounter((model, usage) => costOf(options, model, usage));
    this.#title = new TitleReader(internalsOf(this.#breaker).disclosure);
  }

  /** Replays the next stretch. After the trip it only counts what would have been saved. */
  async add({ signals, runs = [], refusals = [] }: Stretch): Promise<void> {
    let run = 0;
    let refusal = 0;
    const begin = (i: number): void => {
      for (; runs[run]?.index === i; run++) this.#begin(runs[run]?.at);
      for (; refusals[refusal]?.index === i; refusal++) this.#refused(refusals[refusal]?.request);
    };
    for (const [i, recorded] of signals.entries()) {
      begin(i);
      const signal = priced(recorded, this.#options);
      this.#title.add(signal);
      if (this.#trip !== undefined) {
        this.#spent.add(signal);
        this.#tracer?.add(signal, this.#spent);
        continue;
      }
      const isTaken = this.#tell(signal);
      if (isTaken && this.#options.isJudged) await this.#breaker.conversation().answered();
      if (!isTaken) continue;
      this.#spent.add(signal);
      const { trip } = this.#breaker.conversation();
      this.#tracer?.add(signal, this.#spent, trip);
      if (trip !== undefined) this.#tripped(trip);
    }
    begin(signals.length);
  }

  /** What came of it. */
  finish(): Replayed {
    const trip = this.#trip;
    return {
      id: redactSecrets(this.#id),
      title: redactSecrets(titleOf(this.#id, this.#title)),
      team: this.#title.team,
      source: redactSecrets(this.#source),
      turns: this.#spent.turns,
      trips: trip === undefined ? [] : [redactJson(toReplayed(trip, this.#trippedAt))],
      spent: this.#spent.spend,
      saved: this.#spent.saved,
      ...(this.#options.isExplained === true && trip && { trip: redactJson(trip) }),
    };
  }

  /** How it went, if that is written down. */
  get trace(): Trace | undefined {
    return this.#tracer?.trace;
  }

  #begin(at: number | undefined): void {
    if (this.#trip === undefined) this.#breaker.conversation('').beginRun(at);
  }

  /** Asks for a step that was refused. It did not happen, so that one which is admitted now leaves no trace. */
  #refused(request: AdmissionRequest | undefined): void {
    if (this.#trip !== undefined || request === undefined) return;
    const failed = (error: unknown): void => this.#reject(error);
    try {
      const asked = this.#options.isJudged ? redactJson(request) : request;
      this.#at = asked.at;
      const conversation = this.#breaker.conversation();
      const answer = conversation.admit(asked);
      if (isPromise(answer)) inBackground(answer.then(release), failed);
      else release(answer);
      if (conversation.trip === undefined) return;
      this.#tripped(conversation.trip);
      this.#tracer?.stop(conversation.trip);
    } catch (error) {
      failed(error);
    }
  }

  #tripped(trip: Trip): void {
    this.#trip = trip;
    this.#trippedAt = Math.max(1, this.#spent.turns);
    this.#spent.mark();
  }

  #tell(signal: Signal): boolean {
    try {
      this.#at = signal.at;
      const told = this.#options.isJudged ? redactJson(signal) : signal;
      observe(this.#breaker, told, (error) => this.#reject(error));
      return true;
    } catch (error) {
      this.#reject(error);
      return false;
    }
  }

  #reject(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    this.#options.rejected(this.#id, problem);
  }
}

/**
 * Tells a breaker a recorded signal as a guard would have: what was about to begin is asked for first. Nothing waits for the
 * answer, since it has begun; `failed` hears of an answer that fails.
 */
export function observe(breaker: Breaker, signal: Signal, failed: (error: unknown) => void): void {
  const ask = (request: RequestInput): void => inBackground(breaker.admit(request), failed);
  switch (signal.kind) {
    case 'model-request':
    case 'nested-start':
    case 'handoff':
      ask(signal);
      return;
    case 'tool-call':
      ask({ ...signal, kind: 'tool-call' });
      breaker.observe(signal);
      return;
    case 'execution':
      ask({ ...signal, kind: 'execution' });
      breaker.observe(signal);
      return;
    default:
      breaker.observe(signal);
  }
}

function release(admission: Admission): void {
  if (admission.isAdmitted) admission.permit.release();
}

function priced(signal: Signal, options: ReplayOptions): Signal {
  if (signal.kind !== 'usage' && signal.kind !== 'model-request') return signal;
  const named = { ...signal, model: modelOf(options, signal.model) };
  if (named.kind !== 'usage' || named.costUsd !== null) return named;
  return { ...named, costUsd: costOf(options, named.model, named) };
}

function costOf(options: ReplayOptions, model: string, usage: TokenUsage): number | null {
  const named = modelOf(options, model);
  return named === UNKNOWN_MODEL ? null : costInUsd(options.prices, named, usage);
}

/** The model of a call: as recorded, or else as given. */
function modelOf({ model: given }: ReplayOptions, recorded: string): string {
  return recorded === UNKNOWN_MODEL ? (given ?? recorded) : recorded;
}

function toReplayed({ kind, reason, agents, evidence }: Trip, at: number): ReplayedTrip {
  const { agents: _agents, indices: _indices, cost: _cost, ...shown } = evidence;
  return { at, kind, reason, advice: falseAlarmAdvice(kind, evidence), agents, evidence: shown };
}
