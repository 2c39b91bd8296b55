import { type Block, blocksOf } from '../input/blocks.ts';
import { opensDocument } from '../input/head.ts';
import { type Input, openInput } from '../input/input.ts';
import { DEFAULT_LIMITS } from '../input/limits.ts';
import { recognise } from '../read-recordings.ts';
import { problemWith } from './problems.ts';
import type { ReplayFile } from './rotated.ts';

/** What one thread reads at a time: a file, or a block of its lines. */
export type Part =
  | {
      readonly source: string;
      /** Files of the same recording that are read before it. */
      readonly older?: readonly string[] | undefined;
      readonly block?: undefined;
    }
  | { readonly source: string; readonly block: Block; readonly format: string };

/** A file that was cut into blocks ends here. */
export interface PartsEnd {
  readonly source: string;
  readonly isEnd: true;
  /** Why it is not all of it. */
  readonly problem: string | undefined;
}

/** Smaller files are not worth splitting. */
const MIN_BYTES = 256 * 1024;
/** A document is not read to find out that it is one. */
const LIMITS = { ...DEFAULT_LIMITS, maxDocumentBytes: 0 };

/** The parts of files in order. */
export async function* partsOf(files: readonly ReplayFile[]): AsyncGenerator<Part | PartsEnd> {
  for (const file of files) yield* partsOfFile(file);
}

async function* partsOfFile(file: ReplayFile): AsyncGenerator<Part | PartsEnd> {
  const { source, older } = file;
  const cuttable = await openCuttable(file);
  if (cuttable === undefined) {
    yield { source, older };
    return;
  }
  let problem: string | undefined;
  try {
    const blocks = blocksOf(cuttable.input.bytes(), LIMITS.maxLineBytes);
    for await (const block of blocks) yield { source, block, format: cuttable.format };
  } catch (error) {
    problem = problemWith(source, error);
  }
  yield { source, isEnd: true, problem };
}

/** Whether a file can be read by several threads at the same time. */
export async function isCuttable(file: ReplayFile): Promise<boolean> {
  const cuttable = await openCuttable(file);
  if (cuttable !== undefined) await close(cuttable.input);
  return cuttable !== undefined;
}

async function openCuttable({
  source,
  bytes,
}: ReplayFile): Promise<{ input: Input; format: string } | undefined> {
  if (bytes < MIN_BYTES) return undefined;
  // Reading the whole file will report why it cannot be read.
  const input = await openInput(source, { broken: () => {}, limits: LIMITS }).catch(
    () => undefined,
  );
  if (input === undefined) return undefined;
  const format = opensDocument(input.head.text) ? undefined : recognise(input.head);
  if (format?.isReadInBlocks === true) return { input, format: format.id };
  await close(input);
  return undefined;
}

async function close(input: Input): Promise<void> {
  for await (const _ of input.bytes()) return;
}
