import { parseSignal, SIGNAL_KINDS, type Signal } from '@teamfuse/core';
import { RECORDING_VERSION } from '@teamfuse/recorder';
import type { InputValue } from '../input/input.ts';
import { countOf, fieldsOf, listOf, nameIn } from '../transcript/values.ts';
import type { Format } from './format.ts';

const KINDS: ReadonlySet<unknown> = new Set(SIGNAL_KINDS);
const RECORDS: ReadonlySet<unknown> = new Set(['header', 'trip', 'lost']);

/**
 * Our own: a signal a line, with the name of its `conversation` if the file holds several; or `{ id, signals }`, or an array
 * of signals. Lines of `@teamfuse/recorder` about a recording itself are passed over.
 */
export const signals: Format = {
  id: 'signals',
  title: 'a signal, or { id, signals }',
  recognise: ({ values }) =>
    values.some((value) => isSignal(value) || isWhole(value) || isRecord(value)),
  async *read({ source, broken, values }) {
    for await (const batch of values()) {
      const stretches = new Map<string, Signal[]>();
      for (const entry of batch) {
        if (isWhole(entry.value)) {
          const { id, signals } = wholeOf(entry.value);
          const name = id ?? (entry.line === 1 ? source : `${source}:${entry.line}`);
          const read = signals.map((value) => ({ line: entry.line, value }));
          yield { id: name, source, signals: read.flatMap((one) => readSignal(one, broken) ?? []) };
          continue;
        }
        if (isRecord(entry.value)) {
          const problem = problemOf(entry.value);
          if (problem !== undefined) broken(entry.line, problem);
          continue;
        }
        const signal = readSignal(entry, broken);
        if (signal === undefined) continue;
        const { conversation } = signal as { conversation?: unknown };
        const id = nameIn(conversation, signal.runId) ?? source;
        const stretch = stretches.get(id);
        if (stretch === undefined) stretches.set(id, [signal]);
        else stretch.push(signal);
      }
      for (const [id, signals] of stretches) yield { id, source, signals, isOpen: true };
    }
  },
};

/** Whether a line is about the recording itself, as `@teamfuse/recorder` writes them. */
function isRecord(value: unknown): boolean {
  return RECORDS.has(fieldsOf(value)?.record);
}

/** What a line about the recording says to be missing. */
function problemOf(value: unknown): string | undefined {
  const { record, version, count } = fieldsOf(value) ?? {};
  if (record === 'header' && version !== RECORDING_VERSION) {
    return `expected a recording of version ${RECORDING_VERSION}`;
  }
  return record === 'lost'
    ? `${countOf(count)} lines before this could not be recorded`
    : undefined;
}

function isSignal(value: unknown): boolean {
  const fields = fieldsOf(value);
  return KINDS.has(fields?.kind) && typeof fields?.agent === 'string';
}

function isWhole(value: unknown): boolean {
  const list = Array.isArray(value) ? value : fieldsOf(value)?.signals;
  return listOf(list).some(isSignal);
}

function wholeOf(value: unknown): { id: string | undefined; signals: readonly unknown[] } {
  const fields = fieldsOf(value);
  return { id: nameIn(fields?.id), signals: listOf(fields?.signals ?? value) };
}

function readSignal(
  { line, value }: InputValue,
  broken: (line: number, problem: string) => void,
): Signal | undefined {
  try {
    return parseSignal(value);
  } catch (error) {
    broken(line, error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
