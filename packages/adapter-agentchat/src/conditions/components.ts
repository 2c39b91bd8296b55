import type { ComponentClass } from '@teamfuse/agentchat';
import { ExecutionStormTermination } from './execution-storm-termination.ts';
import { HistoryDriftTermination } from './history-drift-termination.ts';
import { NestedCascadeTermination } from './nested-cascade-termination.ts';
import { RepetitionTermination } from './repetition-termination.ts';
import { SpeakerCycleTermination } from './speaker-cycle-termination.ts';

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
