import type { JsonValue } from './json.ts';
import type { HandoffSignal, ModelRequestSignal, NestedStartSignal } from './signal/signal.ts';
import type { Trip } from './trip.ts';

/** An agent is about to take its turn. */
export interface TurnRequest {
  readonly kind: 'turn';
  readonly agent: string;
  readonly at: number;
  readonly depth?: number;
}

/** A tool is about to be called. */
export interface ToolCallRequest {
  readonly kind: 'tool-call';
  readonly agent: string;
  readonly at: number;
  readonly tool: string;
  readonly args: JsonValue;
  readonly depth?: number;
}

/** Code is about to be run. */
export interface ExecutionRequest {
  readonly kind: 'execution';
  readonly agent: string;
  readonly at: number;
  readonly language: string;
  readonly code: string;
  readonly depth?: number;
}

/**
 * A step that somebody would like to take.
 *
 * A model call, a nested chat and a hand-off are asked for with the signal that announces them: asking is observing, so
 * they are not to be observed again. A turn, a tool call and an execution are observed once their outcome is known.
 */
export type AdmissionRequest =
  | TurnRequest
  | ToolCallRequest
  | ExecutionRequest
  | ModelRequestSignal
  | NestedStartSignal
  | HandoffSignal;

/** Leave to take one step. */
export interface Permit {
  /**
   * Whether the step is the one that a half-open circuit lets through. Steps inside it are asked for with
   * `{ within: permit }`.
   */
  readonly isProbe: boolean;
  /**
   * Says that the step is over, with success or without. Harmless when said twice. What a model call has reserved is
   * let go by its {@link UsageSignal}, not by this.
   */
  done(): void;
}

/** The answer to an {@link AdmissionRequest}. */
export type Admission =
  | { readonly isAdmitted: true; readonly permit: Permit }
  | { readonly isAdmitted: false; readonly trip: Trip };

/** Whether asking for this step is observing it. @internal */
export function isAnnouncing(
  request: AdmissionRequest,
): request is ModelRequestSignal | NestedStartSignal | HandoffSignal {
  const { kind } = request;
  return kind === 'model-request' || kind === 'nested-start' || kind === 'handoff';
}
