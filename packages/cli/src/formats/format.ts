import type { Signal } from '@teamfuse/core';
import type { AdmissionRequest } from '@teamfuse/core/kit';
import type { Head } from '../input/head.ts';
import type { Input } from '../input/input.ts';

/** A recorded conversation, or the next stretch of one. */
export interface Recording {
  readonly id: string;
  /** Its file, or `-`. */
  readonly source: string;
  readonly signals: readonly Signal[];
  /** The runs that begin among the signals, in order. */
  readonly runs?: readonly RunStart[];
  /** The steps among the signals that were asked for and refused, in order. */
  readonly refusals?: readonly Refusal[];
  /**
   * Whether another stretch of the same id may follow.
   * @defaultValue false
   */
  readonly isOpen?: boolean;
}

/** A run begins, which restarts the declared limits. */
export interface RunStart {
  /** The index of the signal before which it begins. */
  readonly index: number;
  /** When it begins; by default with that signal. */
  readonly at: number | undefined;
}

/** A step that was asked for and refused, so that it did not happen. */
export interface Refusal {
  /** The index of the signal before which it was asked for. */
  readonly index: number;
  /** The request as it was recorded; the breaker checks it. */
  readonly request: AdmissionRequest;
}

/** A way in which conversations are recorded. */
export interface Format {
  readonly id: string;
  /** What it is, for people. */
  readonly title: string;
  /**
   * Whether each JSON value holds whole conversations, so that lines of an input can be read apart from the others.
   * @defaultValue false
   */
  readonly isReadInBlocks?: boolean;
  /** Whether an input that begins like this is of this format. Never throws. */
  recognise(head: Head): boolean;
  /** Reads all conversations. What cannot be read is reported to `input.broken` and skipped. */
  read(input: Input): AsyncIterable<Recording>;
}

/** What a format makes of one value that holds whole conversations. */
export type ReadValue = (
  value: unknown,
  name: string,
  broken: ReportPart,
) => Iterable<Named> | undefined;

/** Reports a part of a value that is skipped. */
export type ReportPart = (problem: string) => void;

/** A conversation under its own name. */
export interface Named {
  readonly id: string;
  readonly signals: readonly Signal[];
}

/**
 * A format in which each JSON value holds whole conversations.
 *
 * @param read gives `undefined` for a value of another form, which counts as broken. `name` is for conversations without an id;
 * `broken` reports a part of the value that is skipped.
 */
export function valueFormat(id: string, title: string, read: ReadValue): Format {
  return {
    id,
    title,
    isReadInBlocks: true,
    recognise: ({ values }) => values.some((value) => isReadable(read, value)),
    async *read({ source, broken, values }) {
      const tryRead = (line: number, value: unknown): Iterable<Named> => {
        const name = line === 1 ? source : `${source}:${line}`;
        const found = read(value, name, (problem) => broken(line, problem));
        if (found === undefined) broken(line, `expected ${title}`);
        return found ?? [];
      };
      for await (const batch of values(true)) {
        for (const { line, value } of batch) {
          for (const { id, signals } of tryRead(line, value)) yield { id, source, signals };
        }
      }
    },
  };
}

function isReadable(read: ReadValue, value: unknown): boolean {
  const [first] = read(value, '', () => {}) ?? [];
  return first !== undefined;
}
