import type { Signal } from '../signal/signal.ts';
import type { Tally } from './failures/tally.ts';

/** Something that an agent did and could do again. */
export interface Deed {
  readonly type: 'said' | 'called' | 'ran' | 'handed-over';
  /**
   * Equal for the same deed by the same agent with the same outcome, whatever its ids, its times and the order of its
   * fields.
   */
  readonly key: number;
  /** What it was done with, or to whom: a tool, a language, a listener; empty for a message to all. */
  readonly subject: string;
  /** How often the same was done before, as far as it is remembered. */
  readonly repeats: number;
}

/** How a step failed. */
export interface Failure {
  /** What was used when it failed: a tool, a model, or code. */
  readonly target: string;
  /** The class of the error: its name, its code, or a line of it without names and numbers. */
  readonly category: string;
  /** Whether the category is a name or a code, so that equal ones are of one kind. */
  readonly isNamed: boolean;
  /** Equal for errors that differ in the names they mention. */
  readonly shape: number;
  /** Equal for the very same error, whatever its places, ids and times. */
  readonly signature: number;
  /** The words of the error that what was run or asked for does not have, hashed. */
  readonly words: readonly number[];
  /** Equal for the very same call or command; 0 if it is not known. */
  readonly command: number;
  /** How many things failed, as far as the output lets one tell. */
  readonly tally: Tally;
  /** Whether it was turned away before it ran, which says nothing about what it would have done. */
  readonly isRefusal: boolean;
}

/** What a step that can fail succeeded with, in the terms of {@link Failure}. */
export interface Success {
  readonly target: string;
  readonly command: number;
}

/** What is special to a message. */
export interface Said {
  /** Whether it nearly repeats what its author said just before, with nothing new in it. */
  readonly isVariant: boolean;
  /** Whether it says word for word what somebody else has just said for the first time, which is new to nobody. */
  readonly isEcho: boolean;
  /** Whether it answers a message that held code: what it says is the outcome of that code. */
  readonly isOutcome: boolean;
  /** Whether it says all of the last message of its author again, with something added to it. */
  readonly isExtended: boolean;
  /** Whether it shows code, and whether its author has shown all of that before. */
  readonly code: 'none' | 'new' | 'old';
  /** How similar it is to the last message of its author, from 0 to 1. */
  readonly resemblance: number;
  /** Indices of those of its author's latest long messages that were the same but for a few words, oldest first. */
  readonly revisits: readonly number[];
  /** Indices of those that began with the very same words and had much of the rest; none for a message with code. */
  readonly reopenings: readonly number[];
  /**
   * How many of its author's latest long messages were much like it and had all the names and numbers that it has.
   * `undefined` for short messages and for progress.
   */
  readonly recurrences: number | undefined;
  /** Words in it that are new. */
  readonly newWords: number;
  /** Names and numbers in it that are new. */
  readonly newFigures: number;
  /** Different names and numbers in it, new or not. */
  readonly figures: number;
  /** How many times it says the same over and over within itself; 0 if it does not. */
  readonly chants: number;
}

/** A tool that was polled for longer than it was declared to take. */
export interface OverduePoll {
  readonly tool: string;
  readonly waitedMs: number;
  readonly maxWaitMs: number;
}

/** What was read out of one signal. */
export interface Reading {
  /** What was done; `undefined` for bookkeeping and for what people do. */
  readonly deed?: Deed | undefined;
  readonly said?: Said | undefined;
  readonly failure?: Failure | undefined;
  readonly success?: Success | undefined;
  readonly overdue?: OverduePoll | undefined;
  /**
   * Whether it was done for the first time and only acknowledged, as an edit is: what it was for shows in what is called
   * or run next.
   */
  readonly isChange?: boolean | undefined;
  /** How little it brought: 0 for progress, 1 for nothing at all. `undefined` for what does not count. */
  readonly idleness?: number | undefined;
  /** Whether a nested chat is asked for something else than those before, or came back with something else. */
  readonly isNestedNews?: boolean | undefined;
}

/** A signal with its place in the conversation and what has been read out of it once for all detectors. */
export interface Step extends Reading {
  /** Position in the conversation, from 0. */
  readonly index: number;
  readonly signal: Signal;
  /**
   * Whether it brought anything that the conversation had not had before, be it little: what a probe is asked. How much
   * says {@link Reading.idleness}.
   */
  readonly isProgress: boolean;
  /** Whether a real person spoke or decided, which settles everything before. */
  readonly isPerson: boolean;
  /** Whether it came after a wait, much longer than the usual pace of the team. */
  readonly isAfterWait: boolean;
  /** Sum of the idleness since a step last was 0: for how many turns the team has been standing still. */
  readonly idleTurns: number;
  /** Index of the first step of that stretch. */
  readonly idleSince: number;
  /** Tokens that the step adds to the history, estimated. */
  readonly tokens: number;
}
