import { hashText } from '../common/hash.ts';
import type { Signal } from '../signal/signal.ts';
import type { FailureTally } from './failures/tally.ts';
import type { AskHash, CommandHash } from './hashes.ts';
import type { LapStep, Laps } from './steps/lap-step.ts';
import type { Standstill } from './steps/standstill.ts';
import type { Suspicion } from './suspicion/suspicion.ts';

/** What an agent did. */
export interface Action {
  readonly type: 'said' | 'called' | 'ran' | 'handed-over';
  /** The tool, language or recipient; empty for a message to all. */
  readonly subject: string;
}

/** How a step failed. */
export interface Failure {
  /** What failed: a tool, a model, or code. */
  readonly target: string;
  /** The name or code of the error, or a line of it without names and numbers. */
  readonly category: string;
  /** What the error says, or its code, to be quoted; empty if it says nothing. */
  readonly shown: string;
  /** Whether the category is a name or a code. */
  readonly isNamed: boolean;
  /** Equal for errors that differ only in the names they mention. */
  readonly shape: number;
  /** Equal for identical errors, whatever their places, ids, times and numbers. */
  readonly signature: number;
  /** Equal for identical calls or commands; 0 if unknown. */
  readonly command: CommandHash;
  /** Equal for errors with the same HTTP status and title, whatever else they say; 0 without a status. */
  readonly fingerprint: number;
  /** Equal for errors in the same files and functions; 0 if it names none. */
  readonly place: number;
  /** How many things failed, according to the output. */
  readonly tally: FailureTally;
  /** Whether it was refused before it ran. */
  readonly isRefusal: boolean;
  /** Whether a person refused it. */
  readonly isRejected: boolean;
  /** Whether only a field of the result says so, such as a status, which may be mere data. */
  readonly isReported: boolean;
  /** Whether its tool is declared untrusted, so that its texts are not quoted. */
  readonly isUntrusted: boolean;
}

/** A step that could fail and succeeded. */
export interface Success {
  readonly target: string;
  readonly command: CommandHash;
}

/** A tool that was polled for longer than declared. */
export interface OverduePoll {
  readonly tool: string;
  readonly waitedMs: number;
  readonly maxWaitMs: number;
}

/** What a signal contributes to a step of laps. */
export interface ReadStep extends Pick<LapStep, 'agent' | 'key'> {
  readonly ask?: AskHash;
  readonly isAct?: boolean;
  readonly isMessage?: boolean;
  readonly isReply?: boolean;
  /** Whether it asks for something in words that have not been there, as far as its agent asks no model. */
  readonly isTask?: boolean;
  readonly tool?: string;
  readonly isPatient?: boolean;
  readonly isTiny?: boolean;
  /** Whether it is a long message, and no answer to code. */
  readonly isSpeech?: boolean;
  /** Whether it was refused because it repeats itself: it counts as made, with the outcome of the latest such call. */
  readonly isRefused?: boolean;
}

/** The features of one signal. */
export interface SignalFeatures {
  /** What was done; `undefined` for bookkeeping and people. */
  readonly action?: Action | undefined;
  /** Missing for what is not a step of laps, such as an empty message. @internal */
  readonly step?: ReadStep | undefined;
  readonly failure?: Failure | undefined;
  readonly success?: Success | undefined;
  readonly overdue?: OverduePoll | undefined;
  /** From 0, all new, to 1, nothing new. `undefined` for what cannot bring news. */
  readonly staleness?: number | undefined;
  /**
   * Whether something can be measured to have changed: a new result, figure, name or item, or a draft that differs in content.
   * If it is missing, only what is entirely new is one.
   * @internal
   */
  readonly isChange?: boolean | undefined;
  /** From 0 to 1: the similarity to the most similar recent action of the agent, after masking. */
  readonly sameness?: number | undefined;
  /** The similarity to the second most similar one: if high, this is the third time. */
  readonly recurrence?: number | undefined;
  /** Whether it contains a name, a number, or the result of a call or run. */
  readonly hasFact?: boolean | undefined;
  /** Whether a person spoke or decided, which ends everything before. */
  readonly isPerson?: boolean | undefined;
  /** How many times a message repeats itself. */
  readonly selfRepetitions?: number | undefined;
  /** Whether a message quotes the one before it below its own text. */
  readonly carries?: boolean | undefined;
  /** Tokens that it adds to the history, if not those of its text. */
  readonly tokens?: number | undefined;
  /** Whether a nested chat has a new task or a new result. */
  readonly isNestedNews?: boolean | undefined;
}

/** Whether a signal only reports a model call, a choice of speaker, what the guard said, or a step that was given up. */
export function isBookkeeping(signal: Signal): boolean {
  const { kind } = signal;
  const isCall = kind === 'model-request' || kind === 'usage';
  return isCall || kind === 'selection' || kind === 'notice' || isGivenUp(signal);
}

/** Who asked a model, as a hash, if the signal tells what came of it; 0 if it does not. */
export function askerOf({ kind, agent }: Signal): number {
  return kind === 'usage' ? hashText(agent) : 0;
}

/** Whether a step was stopped before it ended: then its outcome is nobody's failure. */
export function isGivenUp(signal: Signal): boolean {
  return 'isGivenUp' in signal && signal.isGivenUp === true;
}

/** A signal with its position and its features, analyzed once for all detectors. */
export interface AnalyzedSignal
  extends Omit<SignalFeatures, 'tokens' | 'hasFact' | 'isPerson' | 'step' | 'isChange'> {
  /** Position in the conversation, from 0. */
  readonly index: number;
  readonly signal: Signal;
  /**
   * Whether something can be measured to have changed: a new result, figure, name or item, or a draft that differs in
   * content. What a user limits "without change" refers to this.
   */
  readonly isChange: boolean;
  /** Whether there was any progress; decides the probe. */
  readonly isProgress: boolean;
  /** Whether a person spoke or decided, which ends everything before. */
  readonly isPerson: boolean;
  /** Whether it came after a wait, much longer than the team's usual pause. */
  readonly isAfterWait: boolean;
  /** How likely the conversation is going in circles after this step. */
  readonly suspicion: Suspicion;
  /** The laps that this step completes; missing if anything was new. */
  readonly laps?: Laps | undefined;
  /** How often its agent has done the same by itself, whatever the others did. @internal */
  readonly standstill?: Standstill | undefined;
  /** Whether it tries again, after longer and longer waits, what failed before. */
  readonly isBackingOff: boolean;
  /** Whether it is a call or a run, or the answer to code. */
  readonly isAct: boolean;
  /** Estimated tokens that the step adds to the history. */
  readonly tokens: number;
}
