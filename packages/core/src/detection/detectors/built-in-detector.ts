import { InvalidOptionError } from '../../common/errors.ts';
import type { JsonValue } from '../../common/json.ts';
import {
  type NumberOption,
  type OptionTable,
  readOptions,
  type WithDefaults,
} from '../../common/option-table.ts';
import { orInvalid } from '../../common/options.ts';
import type { Stateful } from '../../state/stateful.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Detector } from '../detector.ts';
import type { DetectorKind, Evidence, Finding } from '../finding.ts';
import { STOP_AT, TELL_SHARE } from '../judgement.ts';
import type { Suspicion } from '../suspicion/suspicion.ts';

/** Describes a detector; its class is in the same file. */
export interface DetectorSpec<T, Undefined extends keyof T = never> {
  /** The name of its option. */
  readonly name: string;
  /** The kind of its findings. */
  readonly kind: DetectorKind;
  /** What its findings mean. */
  readonly meaning: string;
  /** How to avoid a false alarm; `{limit}` becomes the name of that option with its default. */
  readonly advice: string;
  /** What would count as progress, for the team. */
  readonly progress: string;
  readonly options: OptionTable<T, Undefined>;
}

/** Settings that all detectors share. */
export interface Setting {
  /** Multiplies the defaults. */
  readonly factor: number;
  /** After how many laps a repetition is certain. */
  readonly laps: number;
  /** Whether the team is told of a loop before it is stopped: then a finding of level `warn` comes a lap before. @defaultValue false */
  readonly isTold?: boolean;
}

export const NORMAL: Setting = { factor: 1, laps: 3 };

/** Copies a detector's options, so that an unreadable one fails before any is used. */
export function givenOf<T extends object>(
  name: string,
  options: T | false | undefined,
): T | false | undefined {
  if (options === undefined || options === false) return options;
  const expected = 'an object, or false';
  if (typeof options !== 'object' || options === null) {
    throw new InvalidOptionError(name, expected, options);
  }
  return orInvalid(name, expected, options, () => ({ ...options }));
}

/** When suspicion stops or warns the team. */
export interface SuspicionOptions {
  /**
   * Suspicion score that stops the team; a lower one stops it sooner.
   * @defaultValue 10
   */
  readonly stopAt?: number;
}

export const STOP_AT_OPTION: NumberOption & { readonly default: number } = {
  type: 'number',
  min: 0,
  default: STOP_AT,
  isScaled: true,
};

export const SUSPICION_OPTIONS: OptionTable<SuspicionOptions> = {
  stopAt: { ...STOP_AT_OPTION, tried: [6, 10, 16] },
};

/** The score that trips: 1.5 times `stopAt` for more than two agents. */
export function stopAtOf({ agents }: Pick<Suspicion, 'agents'>, stopAt: number): number {
  return agents.length > 2 ? 1.5 * stopAt : stopAt;
}

/** Whether the suspicion after a step trips or does not; a team that `isTold` first is warned before. */
export function levelOf(
  { suspicion, staleness = 0 }: AnalyzedSignal,
  stopAt: number,
  isTold: boolean,
): Finding['level'] | undefined {
  const limit = stopAtOf(suspicion, stopAt);
  if (staleness === 0) return undefined;
  if (suspicion.score >= limit) return 'trip';
  return isTold && suspicion.score >= TELL_SHARE * limit ? 'warn' : undefined;
}

/** What the built-in detectors share: options, a state that is saved under their kind, and findings. */
export abstract class BuiltInDetector<T extends object, Undefined extends keyof T = never>
  implements Detector
{
  abstract readonly kind: DetectorKind;
  /** @internal */
  protected readonly options: WithDefaults<T, Undefined>;
  /** All that it remembers. */
  protected abstract readonly memory: Stateful;

  /** @throws {@link InvalidOptionError} */
  constructor(spec: DetectorSpec<T, Undefined>, options: T, factor: number) {
    this.options = readOptions<T, Undefined>(spec.name, options, spec.options, factor);
  }

  abstract observe(step: AnalyzedSignal): Finding | undefined;

  reset(): void {
    this.memory.clear();
  }

  snapshot(): JsonValue {
    return this.memory.snapshot();
  }

  restore(snapshot: JsonValue): void {
    this.memory.restore(this.kind, snapshot);
  }

  /** @internal */
  protected found(
    reason: string,
    evidence: Evidence,
    rest: Pick<Finding, 'unquoted' | 'basis' | 'isUrgent'> = {},
  ): Finding {
    return { level: 'trip', kind: this.kind, reason, evidence, ...rest };
  }
}
