import process from 'node:process';
import { type Breaker, redactSecrets } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';

/** The activity of a guard that failed; `breaker` is an error that the breaker emitted. */
export type GuardActivity = 'observe' | 'admit' | 'warn' | 'breaker';

/** An error inside the guard or the breaker. The run continues. */
export interface GuardProblem {
  readonly during: GuardActivity;
  readonly error: unknown;
}

/** Receives a {@link GuardProblem}. */
export type ErrorHandler = (problem: GuardProblem) => void;

/** Shows a problem as a process warning: as far as `breaker` quotes what was said, if there is one. */
export function showWarning({ during, error }: GuardProblem, breaker?: Breaker): void {
  const text =
    breaker === undefined ? textOf(error) : internalsOf(breaker).disclosure.error(error).text;
  const what =
    during === 'breaker' ? 'The run goes on after an error' : `The guard failed to ${during}`;
  warn(`${what}. ${text}`);
}

let isToldOfJudge = false;

/** Warns once per process what a guard misses without a judge. */
export function tellOfJudge(): void {
  if (isToldOfJudge) return;
  isToldOfJudge = true;
  warn(
    "Without a judge, a loop that keeps changing its wording is found late or not at all. Set judge: true to ask the team's own model now and then, or judge: false to silence this warning.",
  );
}

function warn(text: string): void {
  process.emitWarning(text, 'TeamfuseWarning');
}

const MAX_TEXT = 500;

/** What an error says, on one line and without secrets: models and tools may have written it. */
function textOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return redactSecrets(text.replace(/\p{Cf}/gu, '').replace(/[\p{Cc}\s]+/gu, ' ')).slice(
      0,
      MAX_TEXT,
    );
  } catch {
    return 'an error that cannot be read';
  }
}
