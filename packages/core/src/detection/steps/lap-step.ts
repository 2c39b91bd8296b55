import type { AskHash, StepKey } from '../hashes.ts';
import type { WaitingStep } from './waiting.ts';

/** A step, with what later steps are compared by. */
export interface LapStep extends WaitingStep {
  readonly index: number;
  readonly agent: string;
  /** Whether it is a message; what is neither is a handoff, an automatic input, or the start or end of a nested chat. */
  readonly isMessage: boolean;
  /** The tool of a call, or empty. */
  readonly tool: string;
  /** Equal for the same request by the same agent, whatever its outcome; 0 if there is no request. */
  readonly ask: AskHash;
  /** Equal for the same agent, request and outcome. */
  readonly key: StepKey;
  /** Whether it is a message with little new; ignored if its agent also acts. */
  readonly isRemark: boolean;
  /** Whether it is input that follows input of the same person or harness, with nothing in between. */
  readonly isUnanswered: boolean;
  /** Whether it is a single word, whose repetition does not count. */
  readonly isTiny: boolean;
}

/** How often the latest steps have repeated. */
export interface Laps {
  /** How many laps, including the first. */
  readonly laps: number;
  /** How many different steps a lap contains. */
  readonly period: number;
  /** The steps of all laps, oldest first. */
  readonly steps: readonly LapStep[];
  /** Index of the latest new step. */
  readonly newsAt: number;
}

/** Whether the laps consist of messages of several agents only. */
export function isTalk({ steps }: Laps): boolean {
  const [first] = steps;
  return steps.every(({ isAct }) => !isAct) && steps.some(({ agent }) => agent !== first?.agent);
}

/** A step that is remembered. */
export interface Entry extends LapStep {
  /** Whether it repeats an earlier step; set once it is compared. */
  isOld: boolean;
}
