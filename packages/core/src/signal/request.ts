import type { JsonValue } from '../json.ts';
import type {
  HandoffSignal,
  ModelRequestSignal,
  NestedStartSignal,
  SignalKind,
  Untimed,
} from './signal.ts';

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
 * Model calls, nested chats and hand-offs are requested with the signal that announces them; do not observe that signal again.
 * Turns, tool calls and executions are observed once their outcome is known.
 */
export type AdmissionRequest =
  | TurnRequest
  | ToolCallRequest
  | ExecutionRequest
  | ModelRequestSignal
  | NestedStartSignal
  | HandoffSignal;

/** An {@link AdmissionRequest} whose `at` may be missing; the breaker's clock fills it in. */
export type RequestInput = Untimed<AdmissionRequest>;

/** Whether the request is itself a signal and observed. @internal */
export function isAnnouncing(
  request: AdmissionRequest,
): request is ModelRequestSignal | NestedStartSignal | HandoffSignal {
  const { kind } = request;
  return kind === 'model-request' || kind === 'nested-start' || kind === 'handoff';
}

/** The kind of signal that a step gives when it has ended; of hand-offs and nested chats, the request is the signal. @internal */
export function outcomeOf({ kind }: AdmissionRequest): SignalKind | undefined {
  switch (kind) {
    case 'turn':
      return 'message';
    case 'model-request':
      return 'usage';
    case 'tool-call':
    case 'execution':
      return kind;
    default:
      return undefined;
  }
}
