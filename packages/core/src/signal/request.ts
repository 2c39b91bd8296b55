import type {
  ExecutionSignal,
  HandoffSignal,
  MessageSignal,
  ModelRequestSignal,
  NestedStartSignal,
  Signal,
  SignalKind,
  ToolCallSignal,
  Untimed,
} from './signal.ts';

/** An agent is about to take its turn. */
export interface TurnRequest extends Pick<MessageSignal, 'agent' | 'at' | 'depth'> {
  readonly kind: 'turn';
}

/** A tool is about to be called. */
export type ToolCallRequest = Pick<
  ToolCallSignal,
  'kind' | 'agent' | 'at' | 'depth' | 'tool' | 'args'
>;

/** Code is about to be run. */
export type ExecutionRequest = Pick<
  ExecutionSignal,
  'kind' | 'agent' | 'at' | 'depth' | 'language' | 'code'
>;

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

/** The code of the error with which a call is reported that the breaker itself has refused, while the team goes on. */
const REFUSED = 'TEAMFUSE_REFUSED';

/** The signal of a call that is refused by itself, while the team goes on. */
export function refusedCall(request: ToolCallRequest, reason: string): ToolCallSignal {
  return { ...request, executed: false, error: { code: REFUSED, message: reason } };
}

/** Whether a call was refused by itself. */
export function isRefusedCall(signal: Signal): boolean {
  return signal.kind === 'tool-call' && signal.executed === false && signal.error?.code === REFUSED;
}

/** Whether the request is itself a signal and observed. */
export function isAnnouncing(
  request: AdmissionRequest,
): request is ModelRequestSignal | NestedStartSignal | HandoffSignal {
  const { kind } = request;
  return kind === 'model-request' || kind === 'nested-start' || kind === 'handoff';
}

/** The kind of signal that a step gives when it has ended; of hand-offs and nested chats, the request is the signal. */
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
