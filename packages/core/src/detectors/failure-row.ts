import { isFewer, lowest, tallyFromJson, tallyToJson } from '../analysis/failures/tally.ts';
import {
  restoredFlag,
  restoredList,
  restoredNumber,
  restoredNumbers,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Failure } from '../analysis/step.ts';
import type { JsonValue } from '../json.ts';

/** Failures in a row of one target, or of one command. None of them is a refusal. */
export interface FailureRow {
  readonly failure: Failure;
  /** How many there were of the latest kind; those that told something new count for less. */
  readonly ofCategory: number;
  readonly ofShape: number;
  readonly ofSignature: number;
  readonly indices: readonly number[];
  /** The words of all their errors. */
  readonly words: ReadonlySet<number>;
  /** The least values so far of the numbers in the failure. */
  readonly lows: ReadonlyMap<number, number>;
}

/** Indices that are kept at most, the latest ones. */
const MAX_INDICES = 64;
const MAX_WORDS = 512;
const NO_LOWS: ReadonlyMap<number, number> = new Map();
const NO_WORDS: ReadonlySet<number> = new Set();
/** A failure that names what none before it named: somebody may be working through them. */
const TELLING = 0.25;

/** The row with one more failure, or a new one where that is better than those before. */
export function advance(row: FailureRow | undefined, failure: Failure, index: number): FailureRow {
  const before = row === undefined || isBetter(row, failure) ? undefined : row;
  const last = before?.failure;
  const isAlike = last?.shape === failure.shape;
  // Without a name, a category is but a line of the error.
  const isOfKind = last?.category === failure.category && (failure.isNamed || isAlike);
  const known = before?.words ?? NO_WORDS;
  const isTelling = failure.words.some((word) => !known.has(word));
  const weight = isTelling && before !== undefined ? TELLING : 1;
  return {
    failure,
    ofCategory: isOfKind ? (before as FailureRow).ofCategory + weight : 1,
    ofShape: isAlike ? (before as FailureRow).ofShape + weight : 1,
    ofSignature: last?.signature === failure.signature ? (before as FailureRow).ofSignature + 1 : 1,
    indices: [...(before?.indices ?? []), index].slice(-MAX_INDICES),
    words: isTelling ? new Set([...known, ...failure.words].slice(-MAX_WORDS)) : known,
    lows: lowest(row?.lows ?? NO_LOWS, failure.tally),
  };
}

/** Fewer failures than before are progress. */
function isBetter({ failure, lows }: FailureRow, { tally, shape }: Failure): boolean {
  return isFewer(failure.tally, tally, lows, failure.shape === shape);
}

/** A row as plain JSON. */
export function rowSnapshot({ failure, lows, words, ...counts }: FailureRow): JsonValue {
  const { target, category, isNamed, shape, signature, command, tally } = failure;
  const kept = { target, category, isNamed, shape, signature, command };
  return {
    failure: { ...kept, tally: tallyToJson(tally) },
    words: [...words],
    lows: [...lows].map((entry) => [...entry]),
    ...counts,
  };
}

/**
 * Takes a {@link rowSnapshot} back.
 * @throws {@link InvalidSnapshotError}
 */
export function restoredRow(path: string, value: unknown): FailureRow {
  const { failure, words, ofCategory, ofShape, ofSignature, indices, lows } = restoredRecord(
    path,
    value,
  );
  const { target, category, isNamed, shape, signature, command, tally } = restoredRecord(
    path,
    failure,
  );
  return {
    failure: {
      target: restoredText(path, target),
      category: restoredText(path, category),
      isNamed: restoredFlag(path, isNamed),
      shape: restoredNumber(path, shape),
      signature: restoredNumber(path, signature),
      command: restoredNumber(path, command),
      words: [],
      tally: tallyFromJson(path, tally),
      isRefusal: false,
    },
    ofCategory: restoredNumber(path, ofCategory),
    ofShape: restoredNumber(path, ofShape),
    ofSignature: restoredNumber(path, ofSignature),
    indices: restoredNumbers(path, indices),
    words: new Set(restoredNumbers(path, words)),
    lows: new Map(
      restoredList(path, lows).map((entry) => {
        const [key, low] = restoredNumbers(path, entry);
        return [key ?? 0, low ?? 0];
      }),
    ),
  };
}
