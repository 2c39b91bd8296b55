import type { ComponentClass } from '@teamfuse/agentchat';
import type {
  ExecutionStormOptions,
  HistoryDriftOptions,
  NestedCascadeOptions,
  RepetitionOptions,
  SpeakerCycleOptions,
} from '@teamfuse/core/detectors';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/** Stops when the same speakers take turns in a ring and say nothing new. */
export class SpeakerCycleTermination extends DetectorTermination {
  static readonly component: ComponentClass<SpeakerCycleTermination> = detectorCondition(
    'SpeakerCycleTermination',
    (options) => new SpeakerCycleTermination(options),
  );
  override readonly label = 'SpeakerCycleTermination';

  constructor(options: SpeakerCycleOptions = {}) {
    super('speakerCycle', options);
  }
}

/** Stops when code or tools keep failing in the same way. */
export class ExecutionStormTermination extends DetectorTermination {
  static readonly component: ComponentClass<ExecutionStormTermination> = detectorCondition(
    'ExecutionStormTermination',
    (options) => new ExecutionStormTermination(options),
  );
  override readonly label = 'ExecutionStormTermination';

  constructor(options: ExecutionStormOptions = {}) {
    super('executionStorm', options);
  }
}

/** Stops when each message contains the earlier ones, or when prompts grow without progress. */
export class HistoryDriftTermination extends DetectorTermination {
  static readonly component: ComponentClass<HistoryDriftTermination> = detectorCondition(
    'HistoryDriftTermination',
    (options) => new HistoryDriftTermination(options),
  );
  override readonly label = 'HistoryDriftTermination';

  constructor(options: HistoryDriftOptions = {}) {
    super('historyDrift', options);
  }
}

/**
 * Stops when nested chats are started repeatedly, too deeply or too often.
 *
 * Sees the chats that tools open. Those of inner teams and societies of mind need `guardTeam`.
 */
export class NestedCascadeTermination extends DetectorTermination {
  static readonly component: ComponentClass<NestedCascadeTermination> = detectorCondition(
    'NestedCascadeTermination',
    (options) => new NestedCascadeTermination(options),
  );
  override readonly label = 'NestedCascadeTermination';

  constructor(options: NestedCascadeOptions = {}) {
    super('nestedCascade', options);
  }
}

/** Stops when the same message, question or call is repeated with nothing new in between. */
export class RepetitionTermination extends DetectorTermination {
  static readonly component: ComponentClass<RepetitionTermination> = detectorCondition(
    'RepetitionTermination',
    (options) => new RepetitionTermination(options),
  );
  override readonly label = 'RepetitionTermination';

  constructor(options: RepetitionOptions = {}) {
    super('repetition', options);
  }
}

/**
 * The conditions of this package, for a `ComponentRegistry` to load them.
 *
 * @example
 * ```ts
 * const registry = new ComponentRegistry([...builtInComponents, ...guardComponents]);
 * const dump = new RepetitionTermination({ limit: 4 }).dumpComponent();
 * registry.load(dump, RepetitionTermination).label; // => 'RepetitionTermination'
 * ```
 */
export const guardComponents: readonly ComponentClass[] = [
  SpeakerCycleTermination.component,
  ExecutionStormTermination.component,
  HistoryDriftTermination.component,
  NestedCascadeTermination.component,
  RepetitionTermination.component,
];
