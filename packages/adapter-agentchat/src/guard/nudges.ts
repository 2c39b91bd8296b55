import type { Finding } from '@teamfuse/core';

/** Who speaks in a warning. */
export const NUDGE_SOURCE = 'teamfuse';

/** Warnings the team has not been told yet. */
export class Nudges {
  readonly #wording: (finding: Finding) => string;
  #pending: readonly string[] = [];

  constructor(wording: (finding: Finding) => string) {
    this.#wording = wording;
  }

  /** Keeps a warning for whoever is asked next. */
  add(finding: Finding): void {
    this.#pending = [...this.#pending, this.#wording(finding)];
  }

  /** What is to be told now; each warning is given out once. */
  take(): string | undefined {
    if (this.#pending.length === 0) return undefined;
    const text = this.#pending.join('\n');
    this.#pending = [];
    return text;
  }

  /** Forgets warnings of a run that is over. */
  clear(): void {
    this.#pending = [];
  }
}
