import { shown } from '@teamfuse/python-compat';

/**
 * The kind of an error, for programs; the meaning of a code does not depend on the message.
 *
 * - `INVALID_VALUE` an option or argument has a value that is not allowed
 * - `UNKNOWN_OPTION` an option does not exist; the message says what to write instead
 * - `INVALID_USE` a call was made in a way or at a time that is not allowed
 * - `INVALID_MESSAGE` a message has neither content nor a call
 * - `INVALID_CONTENT` the content of a message cannot be shown as text
 * - `UNKNOWN_CONVERSATION` an agent has no history with the given peer
 * - `EMPTY_CONVERSATION` a conversation has no message yet
 * - `RESUME` a group chat cannot be resumed from the given messages
 * - `CANCELLED` the chat in which something was waited for was cancelled, or had no time left
 * - `INPUT_ENDED` a person was asked, but the input has ended
 * - the others belong to the error class of the same name
 */
export type GroupChatErrorCode =
  | 'INVALID_VALUE'
  | 'UNKNOWN_OPTION'
  | 'INVALID_USE'
  | 'INVALID_MESSAGE'
  | 'INVALID_CONTENT'
  | 'UNKNOWN_CONVERSATION'
  | 'EMPTY_CONVERSATION'
  | 'RESUME'
  | 'NO_ELIGIBLE_SPEAKER'
  | 'SENDER_REQUIRED'
  | 'INVALID_CARRYOVER_TYPE'
  | 'UNDEFINED_NEXT_AGENT'
  | 'AGENT_NAME_CONFLICT'
  | 'CANCELLED'
  | 'INPUT_ENDED'
  | 'KEYBOARD_INTERRUPT';

/** Base of all errors this package throws; distinguish them by `code`. */
export class GroupChatError extends Error {
  override readonly name: string = 'GroupChatError';
  readonly code: GroupChatErrorCode;

  constructor(code: GroupChatErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a value that is not allowed. */
export function invalidValue(message: string): GroupChatError {
  return new GroupChatError('INVALID_VALUE', message);
}

/** The error for an option whose value is not allowed. */
export function invalidOption(option: string, expected: string, received: unknown): GroupChatError {
  return invalidValue(`option '${option}': expected ${expected}, received ${shown(received)}`);
}

/** Thrown for an option that does not exist, such as a misspelt one or the Python name of one. */
export class UnknownOptionError extends GroupChatError {
  override readonly name = 'UnknownOptionError';
  /** The name that was given. */
  readonly option: string;

  /** `what` has the options; `advice` says what to write instead. */
  constructor(what: string, option: string, advice: string) {
    super('UNKNOWN_OPTION', `${what}: there is no option '${option}'; ${advice}`);
    this.option = option;
  }
}

/** Ends a group run without a failure when no member may speak next. */
export class NoEligibleSpeaker extends GroupChatError {
  override readonly name = 'NoEligibleSpeaker';

  constructor(message = 'No eligible speakers.') {
    super('NO_ELIGIBLE_SPEAKER', message);
  }
}

/** Thrown when a trigger by name has no sender to compare with. */
export class SenderRequired extends GroupChatError {
  override readonly name = 'SenderRequired';

  constructor(message = 'Sender is required but not provided.') {
    super('SENDER_REQUIRED', message);
  }
}

/** Thrown when a carryover is neither text nor a list. */
export class InvalidCarryOverType extends GroupChatError {
  override readonly name = 'InvalidCarryOverType';

  constructor(message: string) {
    super('INVALID_CARRYOVER_TYPE', message);
  }
}

/** Thrown when the agents offered for the next turn are not in the group. */
export class UndefinedNextAgent extends GroupChatError {
  override readonly name = 'UndefinedNextAgent';

  constructor(message = 'The provided agents list does not overlap with agents in the group.') {
    super('UNDEFINED_NEXT_AGENT', message);
  }
}

/** Thrown when a name that must be unique belongs to several agents. */
export class AgentNameConflict extends GroupChatError {
  override readonly name = 'AgentNameConflict';

  constructor(message = 'Found multiple agents with the same name.') {
    super('AGENT_NAME_CONFLICT', message);
  }
}

/** Thrown by an input when the person interrupts; in a group the admin then speaks. */
export class KeyboardInterrupt extends GroupChatError {
  override readonly name = 'KeyboardInterrupt';

  constructor(message = '') {
    super('KEYBOARD_INTERRUPT', message);
  }
}
