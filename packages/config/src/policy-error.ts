import { BreakerError } from '@teamfuse/core';

/** A place in a file: line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a policy. */
export interface PolicyProblem {
  readonly file: string;
  /** From 1; `undefined` where no line is wrong, as with a file that is missing. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** The path of the key: `teams.research.budget.maxUsd`; empty where the text is no TOML. */
  readonly key: string;
  readonly expected: string;
  /** The value, as the message shows it. */
  readonly received: string;
}

const SHOWN_KEY = 160;

/** A policy cannot be read: `file`, `line`, `column` and `key` say where, `expected` and `received` why. */
export class PolicyError extends BreakerError implements PolicyProblem {
  override readonly name = 'PolicyError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly key: string;
  readonly expected: string;
  readonly received: string;

  /** `sentence` replaces what was expected and received in the message. */
  constructor(problem: PolicyProblem, options?: ErrorOptions, sentence?: string) {
    const { file, line, column, key, expected, received } = problem;
    const place = line === undefined ? file : `${file}:${line}:${column}`;
    const shown = key.length > SHOWN_KEY ? `${key.slice(0, SHOWN_KEY)}…` : key;
    const where = [place, key === '' ? '' : `key '${shown}'`].filter((part) => part !== '');
    const wrong = sentence ?? `expected ${expected}, received ${received}`;
    super('INVALID_POLICY', [...where, wrong].join(': '), options);
    this.file = file;
    this.line = line;
    this.column = column;
    this.key = key;
    this.expected = expected;
    this.received = received;
  }
}
