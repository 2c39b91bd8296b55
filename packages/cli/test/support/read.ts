import type { Signal } from '@teamfuse/core';
import { type InputLimits, readRecordings } from '../../src/index.ts';

/** What was read of an input. */
export interface Read {
  readonly conversations: ReadonlyMap<string, readonly Signal[]>;
  readonly broken: readonly string[];
}

/** Reads a file, or the text that is given instead. */
export async function read(source: string, text?: string, limits?: InputLimits): Promise<Read> {
  const broken: string[] = [];
  const conversations = new Map<string, Signal[]>();
  const options = {
    broken: (line: number, problem: string): void => void broken.push(`${line}: ${problem}`),
    ...(text !== undefined && { bytes: pieces(text) }),
    ...(limits && { limits }),
  };
  for await (const { id, signals } of readRecordings(source, options)) {
    if (signals.length > 0) conversations.set(id, [...(conversations.get(id) ?? []), ...signals]);
  }
  return { conversations, broken };
}

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
