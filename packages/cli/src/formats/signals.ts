import type { Signal } from '@teamfuse/core';
import { SIGNAL_KINDS } from '@teamfuse/core/detectors';
import { type AdmissionRequest, parseSignal } from '@teamfuse/core/kit';
import { RECORDING_VERSION } from '@teamfuse/recorder';
import type { InputValue } from '../input/input.ts';
import { countOf, fieldsOf, listOf, nameIn } from '../transcript/values.ts';
import type { Format, Refusal, RunStart } from './format.ts';

const KINDS: ReadonlySet<unknown> = new Set(SIGNAL_KINDS);
const RECORDS: ReadonlySet<unknown> = new Set([
  'header',
  'run',
  'refusal',
  'trip',
  'lost',
  'withheld',
]);

/** Runs that have begun and of which nothing is known yet. */
const MAX_WAITING = 1000;

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
    const stretches = new Map<string, Stretch>();
    const stretchOf = (id: string): Stretch => {
      const stretch = stretches.get(id) ?? { signals: [], runs: [], refusals: [] };
      stretches.set(id, stretch);
      return stretch;
    };
    for await (const batch of values()) {
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
          note(entry.value, stretchOf);
          continue;
        }
        const signal = readSignal(entry, broken);
        if (signal === undefined) continue;
        const { conversation } = signal as { conversation?: unknown };
        const id = nameIn(conversation, signal.runId) ?? source;
        stretchOf(id).signals.push(signal);
      }
      for (const [id, stretch] of stretches) {
        // A run begins with what comes next.
        if (stretch.signals.length + stretch.refusals.length === 0) continue;
        stretches.delete(id);
        yield { id, source, ...stretch, isOpen: true };
      }
      for (const id of [...stretches.keys()].slice(0, -MAX_WAITING)) stretches.delete(id);
    }
    // The next file of the recording may go on with them.
    for (const [id, stretch] of stretches) yield { id, source, ...stretch, isOpen: true };
  },
};

/** What came of a conversation in some lines. */
interface Stretch {
  readonly signals: Signal[];
  readonly runs: RunStart[];
  readonly refusals: Refusal[];
}

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

/** Notes the run that a line says to begin, or the step that it says was refused. */
function note(value: unknown, stretchOf: (id: string) => Stretch): void {
  const { record, conversation, at, request } = fieldsOf(value) ?? {};
  const id = nameIn(conversation);
  if (id === undefined) return;
  const isTime = typeof at === 'number' && at >= 0;
  const { signals, runs, refusals } = stretchOf(id);
  const index = signals.length;
  if (record === 'run') runs.push({ index, at: isTime ? at : undefined });
  const asked = fieldsOf(request);
  if (record === 'refusal' && asked) refusals.push({ index, request: asked as AdmissionRequest });
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
