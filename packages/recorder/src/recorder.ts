/// <reference lib="esnext.disposable" preserve="true" />
import { type Breaker, InvalidOptionError, redactSecrets, type Trip } from '@teamfuse/core';
import { atOnce, type Disclosure, internalsOf, type JsonValue, toJson } from '@teamfuse/core/kit';
import { checkNames, type OptionNames, show } from '@teamfuse/core/options';
import { RecordingError } from './recording-error.ts';
import { RecordingFile } from './recording-file.ts';
import {
  type HeaderRecord,
  type LostRecord,
  RECORDING_VERSION,
  type RefusalRecord,
  type RunBeginRecord,
  type TripRecord,
  type WithheldRecord,
} from './records.ts';
import { redactRecord } from './redact-record.ts';

/** The part of a breaker that is recorded: that of any version of core will do. */
export type RecordableBreaker = Pick<Breaker, 'on'>;

/** Options of a {@link Recorder}. */
export interface RecorderOptions {
  /**
   * Bytes of a file, at least 1,024. A full one is moved to `run.1.jsonl`, and so on.
   * @defaultValue 67_108_864
   */
  readonly maxBytes?: number;
  /**
   * How many older files are kept; beyond that, the oldest is deleted.
   * @defaultValue 10
   */
  readonly keep?: number;
  /**
   * Removes secrets from every text. A function runs after {@link redactSecrets} and after the breaker's own `redact`; `false`
   * records all texts unchanged. A breaker with `excerpts: false` is recorded without what its team said, whatever stands here.
   * @defaultValue {@link redactSecrets} and the breaker's own `redact`
   */
  readonly redact?: ((text: string) => string) | false;
  /**
   * The name of the run. The names of its conversations begin with it, so that runs in one file stay apart.
   * @defaultValue the time and the id of the process
   */
  readonly run?: string;
}

const NAMES: OptionNames<RecorderOptions> = { maxBytes: true, keep: true, redact: true, run: true };
const MIN_BYTES = 1_024;
const MAX_KEEP = 1_000;

/**
 * Records breakers to a file, one line per signal, for `teamfuse replay`.
 *
 * Each line is written before the breaker continues, so that a killed process loses nothing. Lines that cannot be written are
 * counted and reported as an `error` of the breaker; the run continues.
 *
 * @example
 * ```ts
 * const recorder = new Recorder('run.jsonl');
 * recorder.add(new Breaker());
 * await recorder.close();
 * ```
 */
export class Recorder {
  readonly #file: RecordingFile;
  readonly #run: string;
  readonly #redact: ((text: string) => string) | false;
  #breakers = 0;
  #isClosed = false;
  /** Lines that were lost since the last one that was written. */
  #lost = 0;
  #lostInAll = 0;

  /** @throws {@link InvalidOptionError} naming the option, what was expected and what was received. */
  constructor(file: string, options: RecorderOptions = {}) {
    checkNames('', options, NAMES);
    const { maxBytes = 64 * 1024 * 1024, keep = 10, redact = asIs } = options;
    const { run = `${new Date().toISOString()}-${process.pid}` } = options;
    if (typeof file !== 'string' || file === '') {
      throw new InvalidOptionError('file', 'the path of a file', file);
    }
    if (typeof run !== 'string' || run === '') {
      throw new InvalidOptionError('run', 'a name', run);
    }
    if (redact !== false && typeof redact !== 'function') {
      throw new InvalidOptionError('redact', 'a function, or false', redact);
    }
    const rotation = {
      maxBytes: whole('maxBytes', maxBytes, MIN_BYTES, Number.MAX_SAFE_INTEGER),
      keep: whole('keep', keep, 0, MAX_KEEP),
    };
    this.#run = run;
    this.#redact = redact;
    this.#file = new RecordingFile(file, rotation, (part) => {
      const at = Date.now();
      return JSON.stringify({
        record: 'header',
        version: RECORDING_VERSION,
        run,
        part,
        at,
      } satisfies HeaderRecord);
    });
  }

  /** How many lines could not be written so far. */
  get lost(): number {
    return this.#lostInAll;
  }

  /**
   * Records what happens in a breaker from now on.
   * @throws {@link InvalidOptionError} if it is none.
   */
  add(breaker: RecordableBreaker): void {
    if (!isBreaker(breaker)) throw new InvalidOptionError('breaker', 'a Breaker', breaker);
    this.#breakers += 1;
    const number = this.#breakers;
    const run = number === 1 ? this.#run : `${this.#run}#${number}`;
    const nameOf = (conversation: string): string =>
      conversation === '' ? run : `${run}/${conversation}`;
    // Only a breaker of another version has none.
    const disclosure: Disclosure | undefined = internalsOf(breaker)?.disclosure;
    const redact = this.#redactFor(disclosure);
    const record = (value: () => object): void =>
      this.#record(breaker, () => {
        const line = value() as { readonly [name: string]: JsonValue };
        return JSON.stringify(redact === false ? line : redactRecord(line, redact));
      });
    const runs = new WeakSet<object>();
    const begin = (conversation: string, run: { readonly at?: number } | undefined): void => {
      if (run === undefined || runs.has(run)) return;
      runs.add(run);
      record((): RunBeginRecord => ({ record: 'run', conversation, ...run }));
    };
    breaker.on('signal', ({ signal, run, conversation: id }) => {
      const conversation = nameOf(id);
      begin(conversation, run);
      record(() => {
        if (disclosure?.hasExcerpts !== false) return { ...jsonOf(signal), conversation };
        const { kind, agent, at } = signal;
        // What a call cost says nothing of what was said; all else could not be replayed without it.
        return kind === 'usage' || kind === 'model-request'
          ? { ...disclosure.signal(signal), conversation }
          : ({ record: 'withheld', kind, agent, at, conversation } satisfies WithheldRecord);
      });
    });
    const told = new WeakSet<Trip>();
    breaker.on('refusal', ({ request, trip, run, conversation: id }) => {
      // One is enough for a replay to ask the same. An open circuit may refuse any number.
      if (told.has(trip) || disclosure?.hasExcerpts === false) return;
      told.add(trip);
      const conversation = nameOf(id);
      begin(conversation, run);
      record((): RefusalRecord => ({ record: 'refusal', conversation, request: jsonOf(request) }));
    });
    breaker.on('trip', (trip) => {
      const conversation = nameOf(trip.conversation);
      record((): TripRecord => ({ record: 'trip', conversation, trip }));
    });
  }

  /** Ends the recording and flushes it to disk. Idempotent. */
  async close(): Promise<void> {
    // Listeners stay subscribed: unsubscribing would need references that keep unused breakers alive.
    this.#isClosed = true;
    try {
      this.#file.close();
    } catch (error) {
      throw this.#error(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** How texts of a breaker are redacted: secrets first, then as the breaker does, then as the recorder does. */
  #redactFor(disclosure: Disclosure | undefined): ((text: string) => string) | false {
    const own = this.#redact;
    if (own === false) return false;
    const first = disclosure?.redactsSecrets === true ? disclosure.redacted : redactSecrets;
    return (text) => {
      const redacted: unknown = atOnce('redact', own(first(text)));
      if (typeof redacted === 'string') return redacted;
      throw new TypeError(`redact: expected text, received ${show(redacted)}`);
    };
  }

  #record(breaker: RecordableBreaker, line: () => string): void {
    if (this.#isClosed) return;
    try {
      const lost: LostRecord = { record: 'lost', count: this.#lost };
      this.#file.append(this.#lost > 0 ? `${JSON.stringify(lost)}\n${line()}` : line());
      this.#lost = 0;
    } catch (error) {
      this.#lost += 1;
      this.#lostInAll += 1;
      // A full disk stays full for many lines: once is enough until it works again.
      if (this.#lost === 1) internalsOf(breaker).reportError(this.#error(error), 'recording');
    }
  }

  #error(cause: unknown): RecordingError {
    const problem = cause instanceof Error ? cause.message : String(cause);
    return new RecordingError(this.#file.path, problem, { cause });
  }
}

const asIs = (text: string): string => text;

/** What is said as plain JSON. */
function jsonOf<Said extends object>(said: Said): Said {
  const json = toJson(said);
  if (typeof json === 'object' && json !== null) return json as Said;
  throw new TypeError('what happened cannot be written as JSON');
}

function whole(option: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const expected =
    max === MAX_KEEP ? `a whole number from ${min} to ${max}` : `a whole number of at least ${min}`;
  throw new InvalidOptionError(option, expected, value);
}

function isBreaker(value: unknown): boolean {
  try {
    return typeof (value as RecordableBreaker).on === 'function';
  } catch {
    return false;
  }
}
