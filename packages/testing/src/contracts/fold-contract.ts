import { deepFreeze } from '../deep-freeze.ts';
import { type Fold, outputOf, outputsOf, revive } from '../fold.ts';
import { type ContractCheck, ContractViolationError } from './contract-check.ts';

/** What the rules that all folds keep are checked with. */
export interface FoldContractOptions<TInput> {
  /** What rules are called: `DET` makes `DET1`. */
  readonly prefix: string;
  readonly create: () => Fold<TInput>;
  /** Runs of all kinds, made anew at each call. */
  readonly runs: () => readonly (readonly TInput[])[];
  /** Long runs that state could grow with, made anew at each call. */
  readonly longRuns: () => readonly (readonly TInput[])[];
  /** What the snapshot may not exceed, in characters of JSON. */
  readonly maxSnapshotLength: number;
}

/** In how many places a run is cut to be taken up by another fold. */
const CUTS = 8;
/** State that is full may still vary in length, but it does not grow by more than this. */
const MAX_GROWTH = 1.1;
const GROWTH_SLACK = 2048;
/** How often memory is measured in a long run. */
const SAMPLES = 16;

/** The rules that detectors and the analyzer share. */
export function foldContract<TInput>(options: FoldContractOptions<TInput>): ContractCheck[] {
  const { prefix, create, runs, longRuns, maxSnapshotLength } = options;
  const rule = (number: number, title: string, check: (id: string) => void): ContractCheck => {
    const id = `${prefix}${number}`;
    return { id, title, check: () => check(id) };
  };
  return [
    rule(1, 'makes the same of the same', (id) => {
      for (const run of runs()) expectSame(id, outputsOf(create(), run), outputsOf(create(), run));
    }),
    rule(2, 'is as new after a reset', (id) => {
      for (const run of runs()) {
        const used = create();
        for (const input of run) used.observe(input);
        used.reset();
        expectSame(id, outputsOf(create(), run), outputsOf(used, run));
      }
    }),
    rule(3, 'never throws on a valid signal', (id) => {
      for (const run of runs()) attempt(id, create(), run);
    }),
    rule(4, 'never changes what it is given', (id) => {
      for (const run of runs()) {
        const before = JSON.stringify(run);
        outputsOf(create(), run);
        if (JSON.stringify(run) !== before)
          throw new ContractViolationError(id, 'a signal was changed');
        attempt(id, create(), deepFreeze(run));
      }
    }),
    rule(5, 'keeps its memory bounded, however much there is to remember', (id) => {
      for (const run of longRuns()) checkMemory(id, create(), run, maxSnapshotLength);
    }),
    rule(6, 'goes on from a snapshot as if uninterrupted', (id) => {
      for (const run of runs()) {
        const expected = outputsOf(create(), run);
        checkRelay(id, create, run, expected);
        for (let cut = 1; cut < CUTS; cut++) {
          checkCut(id, create, run, expected, Math.floor((cut * run.length) / CUTS));
        }
      }
    }),
  ];
}

/** One fold takes over from the other after every input. */
function checkRelay<TInput>(
  id: string,
  create: () => Fold<TInput>,
  run: readonly TInput[],
  expected: readonly string[],
): void {
  let fold = create();
  const outputs: string[] = [];
  for (const input of run) {
    outputs.push(outputOf(fold, input));
    fold = revive(create, fold);
  }
  expectSame(id, expected, outputs);
}

function checkCut<TInput>(
  id: string,
  create: () => Fold<TInput>,
  run: readonly TInput[],
  expected: readonly string[],
  at: number,
): void {
  const before = create();
  for (const input of run.slice(0, at)) before.observe(input);
  const after = revive(create, before);
  // What the old one goes on to see must not show in the new one.
  for (const input of run) before.observe(input);
  expectSame(id, expected.slice(at), outputsOf(after, run.slice(at)));
}

function checkMemory<TInput>(
  id: string,
  fold: Fold<TInput>,
  run: readonly TInput[],
  maxLength: number,
): void {
  const lengths: number[] = [];
  const stride = Math.ceil(run.length / SAMPLES);
  for (const [index, input] of run.entries()) {
    fold.observe(input);
    if (index % stride === stride - 1) lengths.push(JSON.stringify(fold.snapshot()).length);
  }
  const early = Math.max(...lengths.slice(0, SAMPLES / 2));
  const late = Math.max(...lengths.slice(SAMPLES / 2));
  if (late > maxLength) {
    const problem = `the snapshot has ${late} characters, and ${maxLength} are allowed`;
    throw new ContractViolationError(id, problem);
  }
  if (late > early * MAX_GROWTH + GROWTH_SLACK) {
    const problem = `the snapshot grew from ${early} to ${late} characters over ${run.length} signals`;
    throw new ContractViolationError(id, problem);
  }
}

function attempt<TInput>(id: string, fold: Fold<TInput>, run: readonly TInput[]): void {
  for (const [index, input] of run.entries()) {
    try {
      fold.observe(input);
    } catch (cause) {
      throw new ContractViolationError(id, `threw at ${index} on ${JSON.stringify(input)}`, {
        cause,
      });
    }
  }
}

function expectSame(id: string, expected: readonly string[], received: readonly string[]): void {
  for (const [index, output] of expected.entries()) {
    if (received[index] === output) continue;
    throw new ContractViolationError(
      id,
      `at ${index}: expected ${output}, received ${received[index]}`,
    );
  }
}
