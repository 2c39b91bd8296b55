import { turnSignals } from '@teamfuse/cli';
import type { BreakerOptions, Signal } from '@teamfuse/core';
import { readText } from './read-files.ts';
import { type Scenario, toOptions, toSignal } from './scenario.ts';
import type { Trace } from './trace.ts';

/** One conversation to be run past a breaker: a scenario or a recording. */
export interface Conversation {
  readonly id: string;
  readonly signals: readonly Signal[];
  /** What its user has declared. */
  readonly options: BreakerOptions;
}

/** Ids that an error names at most. */
const MAX_IDS = 40;

/**
 * Reads one conversation from a file of scenarios or recordings: JSON, or one a line, gzipped or not.
 *
 * @param id which one; may be left out where the file holds one alone.
 * @throws Error that names the conversations of the file when it has none of that id.
 */
export function readConversation(path: string, id?: string): Conversation {
  const entries = parse(readText(path));
  const isOnly = id === undefined && entries.length === 1;
  const entry = isOnly ? entries[0] : entries.find((one) => one.id === id);
  if (entry !== undefined) return toConversation(entry);
  const ids = entries.slice(0, MAX_IDS).map((one) => one.id);
  const more = entries.length > MAX_IDS ? `, and ${entries.length - MAX_IDS} more` : '';
  throw new Error(`${path}: expected the id of one of ${ids.join(', ')}${more}`);
}

function parse(text: string): (Scenario | Trace)[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line));
  }
}

function toConversation(entry: Scenario | Trace): Conversation {
  const { id } = entry;
  return 'events' in entry
    ? { id, signals: entry.events.map(toSignal), options: toOptions(entry.config) }
    : { id, signals: turnSignals(entry.turns).map(({ signal }) => signal), options: {} };
}
