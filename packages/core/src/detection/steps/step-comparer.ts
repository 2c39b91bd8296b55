import type { JsonValue } from '../../common/json.ts';
import type { Signal } from '../../signal/signal.ts';
import { text } from '../../state/codec.ts';
import { Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import { type Failure, isBookkeeping, type SignalFeatures } from '../analyzed-signal.ts';
import { Retries } from '../calls/polls.ts';
import { type AskHash, askOf, NOTHING_ASKED } from '../hashes.ts';
import { HALF_STALE } from '../judgement.ts';
import type { Laps } from './lap-step.ts';
import { LapCounter, type LapTimes } from './laps.ts';
import { type Standstill, Standstills } from './standstill.ts';

/** How a step compares with those before. */
interface Comparison {
  readonly laps?: Laps | undefined;
  readonly standstill?: Standstill | undefined;
  readonly isBackingOff: boolean;
}

/** Compares each step with those before, of the team and of its agent. */
export class StepComparer implements Stateful {
  readonly #laps: LapCounter;
  readonly #standstills: Standstills;
  readonly #retries: Retries = new Retries();
  /** Who gave the latest signal if that was input, and else empty. */
  readonly #asker: Saved<string> = new Saved(text, () => '');
  readonly #parts: SavedGroup;

  /** `redactName` redacts names of tools for snapshots. */
  constructor(times: LapTimes, redactName: (tool: string) => string) {
    this.#laps = new LapCounter(times, redactName);
    this.#standstills = new Standstills(times.patienceMs);
    this.#parts = new SavedGroup({
      laps: this.#laps,
      standstills: this.#standstills,
      retries: this.#retries,
      asker: this.#asker,
    });
  }

  /** Whether the team waits for something. */
  isWaitingAt(freeAt: number): boolean {
    return this.#laps.isWaitingAt(freeAt);
  }

  /** Notes that an agent has asked a model. */
  addModel(agent: string): void {
    this.#standstills.addModel(agent);
  }

  /** Notes the next signal, and compares it if it is a step that took `tookMs`, at `freeAt` by a clock that stands still while nobody can go on. */
  take(signal: Signal, reading: SignalFeatures, { index, ...times }: Taken): Comparison {
    const { at, kind } = signal;
    const { freeAt, tookMs } = times;
    const { step, staleness, failure, success, isNestedNews = false } = reading;
    const asker = kind === 'human-input' ? signal.agent : '';
    const isUnanswered = asker !== '' && this.#asker.state === asker;
    this.#asker.state = asker;
    if (success !== undefined && this.#retries.size > 0) {
      this.#retries.delete(askOf(signal.agent, success.command));
    }
    const isBackingOff = failure !== undefined && this.#isBackingOff(signal, failure, times);
    if (step === undefined || isBookkeeping(signal)) return { isBackingOff };
    const { agent, ask = NOTHING_ASKED, key, isAct = false, tool = '' } = step;
    const { isPatient = false, isTiny = false, isMessage = false, isSpeech = false } = step;
    const { isReply = false, isTask = false } = step;
    const known = step.isRefused === true ? this.#laps.latestOf(ask) : undefined;
    if (step.isRefused === true && known === undefined) return { isBackingOff };
    const entry = {
      // Not spread, which would take a tenth of the time of a step.
      index,
      at,
      freeAt,
      agent,
      tool,
      ask,
      key: known?.key ?? key,
      isAct,
      isMessage,
      isReply,
      isRemark: !isAct && staleness !== undefined && staleness >= HALF_STALE,
      isPatient: known?.isPatient ?? isPatient,
      // A declared key counts whenever it comes again.
      isBackingOff: isBackingOff && key !== ask,
      tookMs,
      isUnanswered,
      isTiny,
      isOld: false,
    };
    const news = staleness === undefined ? Number(isNestedNews) : 1 - staleness;
    const laps = this.#laps.take(entry);
    const isWaiting = this.isWaitingAt(freeAt);
    const standstill = this.#standstills.take({ step: entry, news, isSpeech, isTask, isWaiting });
    return { laps, standstill, isBackingOff };
  }

  /** The laps that a call at this time would complete if it had the same outcome as the same call before. Changes nothing. */
  foresee(ask: AskHash, { index, at, freeAt, quietMs }: Foreseen): Laps | undefined {
    const isBackingOff = this.#retries.isBackingOffAt(ask, { at, freeAt, quietMs });
    return this.#laps.foresee(ask, { index, at, freeAt, isBackingOff });
  }

  /** Forgets what was done. */
  forgetSteps(): void {
    this.#laps.clear();
    this.#standstills.forgetSteps();
    this.#retries.clear();
  }

  clear(): void {
    this.#parts.clear();
  }

  snapshot(): JsonValue {
    return this.#parts.snapshot();
  }

  restore(path: string, json: unknown): void {
    this.#parts.restore(path, json);
  }

  #isBackingOff({ agent, at }: Signal, failure: Failure, times: Omit<Taken, 'index'>): boolean {
    const { command, isRefusal } = failure;
    return this.#retries.failed(askOf(agent, command), { at, ...times, isRefusal });
  }
}

interface Taken {
  readonly index: number;
  readonly freeAt: number;
  readonly quietMs: number;
  readonly tookMs: number;
}

interface Foreseen {
  readonly index: number;
  readonly at: number;
  readonly freeAt: number;
  readonly quietMs: number;
}
