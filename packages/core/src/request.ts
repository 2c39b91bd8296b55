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
 * A step that is about to begin.
 *
 * Model calls, nested chats and hand-offs are requested with the signal that announces them: the request observes it, so
 * do not observe it again. Turns, tool calls and executions are observed once their outcome is known.
 */
export type AdmissionRequest =
  | TurnRequest
  | ToolCallRequest
  | ExecutionRequest
  | ModelRequestSignal
  | NestedStartSignal
  | HandoffSignal;

/** Permission to take one step. */
export interface Permit {
  /**
   * Whether the step is the one that a half-open circuit lets through. Steps inside it are asked for with
   * `{ within: permit }`.
   */
  readonly isProbe: boolean;
  /**
   * Ends the step, successful or not. Idempotent. The reservation of a model call ends with its {@link UsageSignal}, not
   * with this.
   */
  release(): void;
}

/** Options of {@link Breaker.admit}. */
export interface AdmitOptions {
  /** The permit of the step that this one is part of. */
  readonly within?: Permit | undefined;
  /** Ends the wait for other calls. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to an {@link AdmissionRequest}. */
export type Admission =
  | { readonly isAdmitted: true; readonly permit: Permit }
  | { readonly isAdmitted: false; readonly trip: Trip };

/** Whether the request for this step observes it. @internal */
export function isAnnouncing(
  request: AdmissionRequest,
): request is ModelRequestSignal | NestedStartSignal | HandoffSignal {
  const { kind } = request;
  return kind === 'model-request' || kind === 'nested-start' || kind === 'handoff';
}
