import { createHash } from 'node:crypto';
import { type Forgives, sameJson } from './json.ts';
import { withoutEmptyParts } from './play/final-state.ts';
import type { Played, PlayedStep } from './play/play.ts';
import { isExpected } from './script/raised-error.ts';
import type { StepOutcome, TraceEvent, Vector } from './vector.ts';

/** The first events at which two traces part. */
export interface Parting {
  readonly expected: TraceEvent | undefined;
  readonly got: TraceEvent | undefined;
}

/** Everything in which a played case differs from the recorded one. */
export interface Differences {
  readonly texts: readonly string[];
  /** Where the traces part, if they do. */
  readonly parting: Parting | null;
}

/** Compares a played case with the recorded one, all but what is forgiven. */
export function differences(
  vector: Vector,
  played: Played,
  forgives: Forgives = () => false,
): Differences {
  const same = comparison(vector, played.workDirs, forgives);
  const { expect } = vector;
  const setup = setupDifference(vector, played, same);
  if (setup !== null || expect.setup_error) return { texts: setup ? [setup] : [], parting: null };
  const parting = partingOf(expect.trace ?? [], played.trace, same);
  const texts = [
    ...(parting ? [`trace: expected ${show(parting.expected)}, got ${show(parting.got)}`] : []),
    ...stepDifferences(expect.steps ?? [], played.steps, same),
  ];
  if (expect.trace_truncated) return { texts, parting };
  const ends = [
    ['state', expect.state ?? {}, played.state],
    ['counts', expect.counts ?? {}, played.counts],
  ] as const;
  for (const [what, expected, got] of ends) {
    if (same(withoutEmptyParts(expected), withoutEmptyParts(got), [what])) continue;
    texts.push(`${what}: expected ${show(expected)}, got ${show(got)}`);
  }
  return { texts: [...texts, ...played.sourceProblems], parting };
}

type Same = (expected: unknown, got: unknown, path: readonly string[]) => boolean;

function setupDifference(
  { expect: { setup_error: expected } }: Vector,
  { setupError }: Played,
  same: Same,
): string | null {
  if (!expected && !setupError) return null;
  if (!expected) return `setup failed: ${setupError?.error}`;
  if (!setupError) return `setup: expected ${show(expected)}`;
  if (!same(expected.at, setupError.at, ['setup'])) return `setup failed at ${setupError.at}`;
  if (isExpected(setupError.error, expected, (one, other) => same(one, other, ['setup'])))
    return null;
  return `setup: expected ${show(expected)}, got ${setupError.error}`;
}

function partingOf(
  trace: readonly TraceEvent[],
  played: readonly TraceEvent[],
  same: Same,
): Parting | null {
  const length = Math.max(trace.length, played.length);
  for (let at = 0; at < length; at += 1) {
    const [expected, got] = [trace[at], played[at]];
    if (!expected || !got || !same(expected, got, ['trace', expected.ev])) return { expected, got };
  }
  return null;
}

function stepDifferences(
  expected: readonly StepOutcome[],
  played: readonly PlayedStep[],
  same: Same,
): string[] {
  if (expected.length !== played.length)
    return [`${played.length} of ${expected.length} steps ran`];
  return expected.flatMap((outcome, at) => {
    const got = played[at] as PlayedStep;
    if ('ok' in outcome) {
      if ('thrown' in got) return [`steps[${at}] threw ${describe(got.thrown)}`];
      if (same(outcome.ok, got.ok, ['steps', String(at)])) return [];
      return [`steps[${at}]: expected ${show(outcome.ok)}, got ${show(got.ok)}`];
    }
    if ('ok' in got) return [`steps[${at}]: expected ${show(outcome.error)}, got ${show(got.ok)}`];
    if (isExpected(got.thrown, outcome.error, (one, other) => same(one, other, ['error'])))
      return [];
    return [`steps[${at}]: expected ${show(outcome.error)}, got ${describe(got.thrown)}`];
  });
}

function comparison(vector: Vector, workDirs: readonly string[], forgives: Forgives): Same {
  const isLoose = vector.tags.includes('python_text');
  const place = (text: string): string =>
    workDirs.reduce((all, dir) => all.replaceAll(dir, '<WORKDIR>'), text);
  const equivalent: Forgives = (expected, got, path) => {
    if (forgives(expected, got, path)) return true;
    if (path.at(-1) === 'error') return isFailureOfPython(expected) && got !== undefined;
    if (typeof got !== 'string') return false;
    if (isFailedRun(expected) && got.startsWith('error:')) return true;
    if (isDigest(expected)) return matchesDigest(expected, got);
    if (typeof expected !== 'string') return false;
    const placed = place(got);
    return placed === expected || (isLoose && loose(placed) === loose(expected));
  };
  return (expected, got, path) => sameJson(expected, got, equivalent, path);
}

const failuresOfPython: readonly unknown[] = [
  'AttributeError',
  'IndexError',
  'KeyError',
  'TypeError',
  'StopIteration',
  'RecursionError',
  'UnboundLocalError',
];

// These have no counterpart of the same name: only that something failed counts.
function isFailureOfPython(type: unknown): boolean {
  return failuresOfPython.includes(type);
}

function isFailedRun(reason: unknown): boolean {
  return typeof reason === 'string' && isFailureOfPython(reason.replace(/^error:/, ''));
}

interface Digest {
  readonly chars: number;
  readonly sha256: string;
}

function isDigest(value: unknown): value is Digest {
  return typeof value === 'object' && value !== null && 'sha256' in value;
}

function matchesDigest({ chars, sha256 }: Digest, text: string): boolean {
  if ([...text].length !== chars) return false;
  return createHash('sha256').update(text, 'utf8').digest('hex') === sha256;
}

// The same value in the notation of either language.
function loose(text: string): string {
  return text
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\bNone\b/g, 'null')
    .replace(/\b(\d+)\.0\b/g, '$1')
    .replaceAll("'", '"');
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
