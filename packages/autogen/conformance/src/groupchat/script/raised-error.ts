import {
  GroupChatError,
  type GroupChatErrorCode,
  KeyboardInterrupt,
  NoEligibleSpeaker,
} from '@teamfuse/groupchat';
import type { RaisedError } from '../vector.ts';

/** An error that a script of a case raises, under the name of its Python type. */
class ScriptedError extends Error {
  override readonly name: string;

  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

/** Makes the error a script asks for. */
export function raised({ type = 'ScriptError', message }: RaisedError): Error {
  if (type === 'NoEligibleSpeaker') return new NoEligibleSpeaker(message);
  if (type === 'KeyboardInterrupt') return new KeyboardInterrupt(message);
  return new ScriptedError(type, message ?? '');
}

// The Python types that stand behind each code.
const pythonTypes: Readonly<Record<GroupChatErrorCode, readonly string[]>> = {
  INVALID_VALUE: ['ValueError'],
  UNKNOWN_OPTION: ['TypeError'],
  INVALID_USE: ['AssertionError'],
  INVALID_MESSAGE: ['ValueError'],
  INVALID_CONTENT: ['ValueError', 'TypeError'],
  UNKNOWN_CONVERSATION: ['KeyError'],
  EMPTY_CONVERSATION: ['IndexError'],
  RESUME: ['Exception'],
  NO_ELIGIBLE_SPEAKER: ['NoEligibleSpeaker'],
  SENDER_REQUIRED: ['SenderRequired'],
  INVALID_CARRYOVER_TYPE: ['InvalidCarryOverType'],
  UNDEFINED_NEXT_AGENT: ['UndefinedNextAgent'],
  AGENT_NAME_CONFLICT: ['AgentNameConflict'],
  CANCELLED: ['CancelledError'],
  INPUT_ENDED: ['EOFError'],
  KEYBOARD_INTERRUPT: ['KeyboardInterrupt'],
};

/** The Python type names an error stands for; none for a failure of the language itself. */
export function errorTypes(error: unknown): readonly string[] {
  if (error instanceof GroupChatError) return pythonTypes[error.code];
  return error instanceof ScriptedError ? [error.name] : [];
}
