import { Analyzer, type AnalyzerOptions } from '@teamfuse/core/detectors';
import { generateNovelties, generateScene, generateSignals } from '../generated-signals.ts';
import { STUCK } from '../scenes.ts';
import type { ContractCheck } from './contract-check.ts';
import { foldContract } from './fold-contract.ts';

const SEEDS = [1, 2, 3];
const RUN_LENGTH = 250;
/** So long that the memory of words, which is the largest, is full half-way. */
const LONG_RUN_LENGTH = 12_000;
const MAX_SNAPSHOT_LENGTH = 2 ** 21;

/**
 * The rules that an {@link Analyzer} with these options keeps, as checks for any test runner.
 *
 * What can break them is what you declare: a `loopKey` that throws, changes the arguments or remembers.
 */
export function analyzerContract(options: AnalyzerOptions = {}): readonly ContractCheck[] {
  return foldContract({
    prefix: 'ANA',
    create: () => new Analyzer(options),
    runs: () => SEEDS.map((seed) => generateSignals(seed, RUN_LENGTH)),
    longRuns: () => [generateNovelties(LONG_RUN_LENGTH), generateScene(STUCK, LONG_RUN_LENGTH)],
    maxSnapshotLength: MAX_SNAPSHOT_LENGTH,
  });
}
