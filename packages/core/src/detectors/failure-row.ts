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

/** How many failures of a kind there were in a row. */
export interface Count {
  readonly failures: number;
  /** What they come to, as those that tell something new count for less. */
  readonly weight: number;
}

/** Failures in a row of one target, or of one command. None of them is a refusal. */
export interface FailureRow {
  readonly failure: Failure;
  readonly ofCategory: Count;
  readonly ofShape: Count;
  readonly ofSignature: Count;
  readonly indices: readonly number[];
  /** How much had been done before the latest, in calls, runs and hand-overs. */
  readonly deeds: number;
  /** The words of all their errors. */
  readonly words: ReadonlySet<number>;
  /** The least values so far of the numbers in the failure. */
  readonly lows: ReadonlyMap<number, number>;
}

/** Indices that are kept at most, the latest ones. */
const MAX_INDICES = 64;
const MAX_WORDS = 64;
const NO_LOWS: ReadonlyMap<number, number> = new Map();
const NO_WORDS: ReadonlySet<number> = new Set();
/** A failure that names what none before it named: somebody may be working through them. */
const TELLING = 0.4;
const ONE: Count = { failures: 1, weight: 1 };

/**
 * The row with one more failure, or a new one where that is better than those before.
 *
 * `deeds` is how much has been done so far in calls, runs and hand-overs, this one included.
 */
export function advance(
  row: FailureRow | undefined,
  failure: Failure,
  index: number,
  deeds: number,
): FailureRow {
  const before = row === undefined || isBetter(row, failure) ? undefined : row;
  const last = before?.failure;
  const isAlike = last?.shape === failure.shape;
  // Without a name, a category is but a line of the error.
  const isOfKind = last?.category === failure.category && (failure.isNamed || isAlike);
  const known = before?.words ?? NO_WORDS;
  const isTelling = failure.words.some((word) => !known.has(word));
  // Nobody has worked on it if nothing was done in between.
  const isRetry =
    failure.command !== 0 && failure.command === last?.command && deeds - (row?.deeds ?? 0) <= 1;
  const weight = isTelling && !isRetry ? TELLING : 1;
  const add = (count: Count | undefined): Count =>
    count === undefined ? ONE : { failures: count.failures + 1, weight: count.weight + weight };
  return {
    failure,
    ofCategory: add(isOfKind ? before?.ofCategory : undefined),
    ofShape: add(isAlike ? before?.ofShape : undefined),
    ofSignature: add(last?.signature === failure.signature ? before?.ofSignature : undefined),
    indices: [...(before?.indices ?? []), index].slice(-MAX_INDICES),
    deeds,
    words: isTelling ? new Set([...known, ...failure.words].slice(-MAX_WORDS)) : known,
    lows: lowest(row?.lows ?? NO_LOWS, failure.tally),
  };
}

/** Fewer failures than before are progress. */
function isBetter({ failure, lows }: FailureRow, { tally, shape }: Failure): boolean {
  return isFewer(failure.tally, tally, lows, failure.shape === shape);
}

/** A row as plain JSON. */
export function rowSnapshot(row: FailureRow): JsonValue {
  const { failure, ofCategory, ofShape, ofSignature, lows, words, indices, deeds } = row;
  const { target, category, isNamed, shape, signature, command, tally } = failure;
  const kept = { target, category, isNamed, shape, signature, command };
  return {
    failure: { ...kept, tally: tallyToJson(tally) },
    words: [...words],
    lows: [...lows].map((entry) => [...entry]),
    indices: [...indices],
    deeds,
    counts: [ofCategory, ofShape, ofSignature].flatMap(({ failures, weight }) => [
      failures,
      weight,
    ]),
  };
}

/**
 * Takes a {@link rowSnapshot} back.
 * @throws {@link InvalidSnapshotError}
 */
export function restoredRow(path: string, value: unknown): FailureRow {
  const { failure, words, counts, indices, lows, deeds } = restoredRecord(path, value);
  const flat = restoredNumbers(path, counts);
  const countAt = (i: number): Count => ({
    failures: restoredNumber(path, flat[i]),
    weight: restoredNumber(path, flat[i + 1]),
  });
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
    ofCategory: countAt(0),
    ofShape: countAt(2),
    ofSignature: countAt(4),
    indices: restoredNumbers(path, indices),
    deeds: restoredNumber(path, deeds),
    words: new Set(restoredNumbers(path, words)),
    lows: new Map(
      restoredList(path, lows).map((entry) => {
        const [key, low] = restoredNumbers(path, entry);
        return [key ?? 0, low ?? 0];
      }),
    ),
  };
}
