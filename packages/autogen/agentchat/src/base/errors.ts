/** The kind of an {@link AgentChatError}. */
export type AgentChatErrorCode =
  | 'VALUE'
  | 'UNKNOWN_OPTION'
  | 'RUNTIME'
  | 'VALIDATION'
  | 'TERMINATED'
  | 'CANCELLED'
  | 'NOT_IMPLEMENTED'
  | 'ATTRIBUTE'
  | 'KEY'
  | 'ASSERTION';

/** Base of the errors this package throws; where AutoGen has the exception, `name` is its name. */
export abstract class AgentChatError extends Error {
  abstract readonly code: AgentChatErrorCode;
}

/** Thrown for an invalid argument. */
export class ValueError extends AgentChatError {
  override readonly name = 'ValueError';
  readonly code = 'VALUE';
}

/** Thrown for an option that does not exist, such as a misspelt one or the Python name of one. */
export class UnknownOptionError extends AgentChatError {
  override readonly name = 'UnknownOptionError';
  readonly code = 'UNKNOWN_OPTION';
  /** The name that was given. */
  readonly option: string;

  /** `what` has the options; `advice` says what to write instead. */
  constructor(what: string, option: string, advice: string) {
    super(`${what}: there is no option '${option}'; ${advice}`);
    this.option = option;
  }
}

/** Thrown when a run fails after its start, or an operation does not fit the state of its object. */
export class RuntimeError extends AgentChatError {
  override readonly name = 'RuntimeError';
  readonly code = 'RUNTIME';
}

/** Thrown by a condition that is called between a stop and its reset. */
export class TerminatedException extends AgentChatError {
  override readonly name = 'TerminatedException';
  readonly code = 'TERMINATED';

  constructor(
    message: string = 'Termination condition has already been reached',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown by a run whose signal was aborted. */
export class CancelledError extends AgentChatError {
  override readonly name = 'CancelledError';
  readonly code = 'CANCELLED';

  constructor(options?: ErrorOptions) {
    super('', options);
  }
}

/** Thrown by operations a component does not support. */
export class NotImplementedError extends AgentChatError {
  override readonly name = 'NotImplementedError';
  readonly code = 'NOT_IMPLEMENTED';
}

/** Thrown when something is looked up under a name that does not exist. */
export class AttributeError extends AgentChatError {
  override readonly name = 'AttributeError';
  readonly code = 'ATTRIBUTE';
}

/** Thrown when a template or a record lacks a key; the message is the key in quotes. */
export class KeyError extends AgentChatError {
  override readonly name = 'KeyError';
  readonly code = 'KEY';
}

/** Thrown when an invariant does not hold. */
export class AssertionError extends AgentChatError {
  override readonly name = 'AssertionError';
  readonly code = 'ASSERTION';
}

/** One fault of invalid data. */
export interface ValidationIssue {
  /** The path to it. */
  readonly loc: readonly PropertyKey[];
  readonly message: string;
}

/** Thrown for data that does not match its schema. */
export class ValidationError extends AgentChatError {
  override readonly name = 'ValidationError';
  readonly code = 'VALIDATION';
  readonly issues: readonly ValidationIssue[];

  /** `title` names what was checked. */
  constructor(title: string, issues: readonly ValidationIssue[], options?: ErrorOptions) {
    const heading = `${issues.length} validation error${issues.length === 1 ? '' : 's'} for ${title}`;
    const lines = issues.map(({ loc, message }) => `${loc.map(String).join('.')}\n  ${message}`);
    super([heading, ...lines].join('\n'), options);
    this.issues = issues;
  }
}
