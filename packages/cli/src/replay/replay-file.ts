import type { PriceBook } from '@teamfuse/core';
import type { Format, Recording } from '../formats/format.ts';
import { FORMATS } from '../formats/index.ts';
import { BadInputError, UnknownFormatError } from '../input/bad-input-error.ts';
import { fileProblem } from '../input/file-problem.ts';
import { blockInput } from '../input/input.ts';
import type { ReportBroken } from '../input/lines.ts';
import { readRecordings } from '../read-recordings.ts';
import type { Costliest } from './costliest.ts';
import type { FileEvent } from './file-event.ts';
import type { KeptRecordings } from './kept.ts';
import { replayAll } from './open-replays.ts';
import type { Part } from './parts.ts';
import type { ReplayPolicy } from './policy.ts';
import { Problems, problemWith } from './problems.ts';

/** What all files are replayed with. */
export interface FileOptions {
  readonly policy: ReplayPolicy;
  /** The format of a file that no format recognises. */
  readonly fallback?: Format | undefined;
  readonly prices?: PriceBook | undefined;
  readonly model?: string | undefined;
  readonly isJudged?: boolean;
  readonly isExplained?: boolean;
  /** The conversations to trace in detail. */
  readonly traced?: Costliest | undefined;
  /** Keeps what is read, to be replayed again. */
  readonly kept?: KeptRecordings | undefined;
  /** Ends the reading; what was read counts. */
  readonly signal?: AbortSignal | undefined;
}

/** Replays all recordings of a file, or of a part of one. Never throws because of what the file holds. */
export async function* replayPart(part: Part, options: FileOptions): AsyncGenerator<FileEvent> {
  const { source } = part;
  const { fallback, kept, signal, ...rest } = options;
  const problems = new Problems(source);
  const rejected = (id: string, problem: string): void =>
    problems.add(0, `conversation ${id}: ${problem}`);
  try {
    const read = recordingsIn(part, problems, fallback);
    const recordings = until(signal, kept?.keep(read) ?? read);
    for await (const replayed of replayAll(recordings, { ...rest, rejected })) {
      yield* problems.take();
      yield { kind: 'replayed', replayed };
    }
    yield* problems.rest();
  } catch (error) {
    yield* problems.rest();
    if (signal?.aborted) return;
    const isUnknown = error instanceof UnknownFormatError;
    yield { kind: 'failed', source, problem: problemWith(source, error), isUnknown };
  }
}

async function* recordingsIn(
  part: Part,
  problems: Problems,
  fallback: Format | undefined,
): AsyncGenerator<Recording> {
  const { source } = part;
  const broken: ReportBroken = (line, problem) => problems.add(line, problem);
  if (part.block !== undefined) {
    const known = FORMATS.find(({ id }) => id === part.format) as Format;
    yield* known.read(blockInput(source, part.block, { broken }));
    return;
  }
  for (const older of part.older ?? []) {
    for await (const recording of olderIn(older, problems)) yield { ...recording, source };
  }
  yield* readRecordings(source, { broken, fallback });
}

/** The recordings in an older file. Where it breaks off, the newer ones are read all the same. */
async function* olderIn(older: string, problems: Problems): AsyncGenerator<Recording> {
  const broken: ReportBroken = (line, problem) => problems.add(line, problem, 1, older);
  try {
    yield* readRecordings(older, { broken });
  } catch (error) {
    broken(0, fileProblem(error instanceof BadInputError ? error.cause : error));
  }
}

/** The values until the signal aborts. */
async function* until<T>(
  signal: AbortSignal | undefined,
  values: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const value of values) {
    if (signal?.aborted) return;
    yield value;
  }
}
