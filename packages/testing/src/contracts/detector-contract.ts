import type { Finding, Signal } from '@teamfuse/core';
import { type AnalyzedSignal, Analyzer, type Detector } from '@teamfuse/core/detectors';
import { generateNovelties, generateScene, generateSignals } from '../generated-signals.ts';
import { STUCK } from '../scenes.ts';
import { type ContractCheck, ContractViolationError } from './contract-check.ts';
import { foldContract } from './fold-contract.ts';

/** Options of {@link detectorContract}. */
export interface DetectorContractOptions {
  /**
   * What a snapshot may not exceed, in characters of JSON.
   * @defaultValue 262_144
   */
  readonly maxSnapshotLength?: number;
  /** Signals of your own to check with as well, where the generated ones do not make the detector speak. */
  readonly signals?: readonly Signal[];
}

const SEEDS = [1, 2, 3, 4];
const RUN_LENGTH = 400;
const LONG_RUN_LENGTH = 6000;

/**
 * The rules that every detector keeps, as checks for any test runner.
 *
 * They fold generated signals of all kinds, loops among them, read by an {@link Analyzer} with its defaults.
 *
 * @example
 * ```ts
 * for (const { check } of detectorContract(() => new SpeakerCycleDetector())) check();
 * ```
 */
export function detectorContract(
  create: () => Detector,
  { maxSnapshotLength = 262_144, signals = [] }: DetectorContractOptions = {},
): readonly ContractCheck[] {
  const runs = (): AnalyzedSignal[][] => [
    ...SEEDS.map((seed) => read(generateSignals(seed, RUN_LENGTH))),
    read(structuredCloneOf(signals)),
  ];
  const longRuns = (): AnalyzedSignal[][] => [
    read(generateNovelties(LONG_RUN_LENGTH)),
    read(generateScene(STUCK, LONG_RUN_LENGTH)),
  ];
  return [
    ...foldContract({ prefix: 'DET', create, runs, longRuns, maxSnapshotLength }),
    {
      id: 'DET7',
      title: 'speaks in well-formed findings, which stay as they were',
      check: () => {
        for (const run of runs()) checkFindings(create(), run);
      },
    },
  ];
}

function checkFindings(detector: Detector, run: readonly AnalyzedSignal[]): void {
  const told: { readonly finding: Finding; readonly text: string }[] = [];
  for (const step of run) {
    const finding = detector.observe(step);
    if (finding === undefined) continue;
    checkFinding(detector, finding, step.index);
    told.push({ finding, text: JSON.stringify(finding) });
  }
  for (const { finding, text } of told) {
    if (JSON.stringify(finding) !== text) violate(`a finding was changed later on: ${text}`);
  }
}

function checkFinding({ kind }: Detector, finding: Finding, now: number): void {
  const { agents, indices, count, limit } = finding.evidence;
  const show = JSON.stringify(finding);
  if (finding.kind !== kind) violate(`the kind is not '${kind}': ${show}`);
  if (finding.level !== 'warn' && finding.level !== 'trip') violate(`no such level: ${show}`);
  if (finding.reason.trim() === '') violate(`no reason is given: ${show}`);
  if (!Number.isFinite(count) || !Number.isFinite(limit)) violate(`not a number: ${show}`);
  if (new Set(agents).size < agents.length) violate(`an agent is named twice: ${show}`);
  const isOrdered = indices.every((at, i) => at <= now && at > (indices[i - 1] ?? -1));
  if (!isOrdered) violate(`indices do not go up to at most ${now}: ${show}`);
}

function violate(problem: string): never {
  throw new ContractViolationError('DET7', problem);
}

function read(signals: readonly Signal[]): AnalyzedSignal[] {
  const analyzer = new Analyzer();
  return signals.map((signal) => analyzer.observe(signal));
}

/** A copy, so that freezing does not reach what the caller holds. */
function structuredCloneOf(signals: readonly Signal[]): Signal[] {
  return JSON.parse(JSON.stringify(signals));
}
