import { parseSignal, type Signal } from '@teamfuse/core';
import type { InputValue } from '../input/input.ts';
import { fieldsOf, listOf, nameIn } from '../transcript/values.ts';
import type { Format } from './format.ts';

const KINDS: ReadonlySet<unknown> = new Set([
  'message',
  'tool-call',
  'execution',
  'model-request',
  'usage',
  'handoff',
  'nested-start',
  'nested-end',
  'human-input',
  'selection',
]);

/**
 * Our own: a signal a line, with the name of its `conversation` if the file holds several; or `{ id, signals }`, or an array
 * of signals.
 */
export const signals: Format = {
  id: 'signals',
  title: 'a signal, or { id, signals }',
  recognise: ({ values }) => values.some((value) => isSignal(value) || isWhole(value)),
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
