import { turnSignals } from '@teamfuse/cli';
import type { Trace } from '../conversations/trace.ts';
import { firstStop, type StopPolicy } from './watcher.ts';

/** A hand label of a recorded conversation. */
export interface GoldLabel {
  readonly id: string;
  readonly file: string;
  readonly loop: boolean | 'unsure';
  readonly first_turn_evident?: number | null;
}

/** How a policy did on one labelled recording. */
export type TraceOutcome = 'hit' | 'early' | 'late' | 'missed' | 'false-trip' | 'quiet';

/** A recording with what a policy made of it. */
export interface TraceResult {
  readonly id: string;
  readonly outcome: TraceOutcome;
  /** Turn at which it stopped, from 0. */
  readonly at: number | null;
  readonly evident: number | null;
  readonly kind: string | null;
  /** Turns, and tokens in them, that a stop there would have saved. */
  readonly savedTurns: number;
  readonly savedTokens: number;
}

/** The totals over labelled recordings. */
export interface TraceScore {
  readonly loops: number;
  readonly hit: number;
  readonly early: number;
  readonly late: number;
  readonly missed: number;
  readonly healthy: number;
  readonly falseTrips: number;
  readonly medianDelay: number | null;
}

/** So much before the loop is evident a stop is still right, and so much after. */
const TURNS_BEFORE = 2;
const TURNS_AFTER = 8;
const CHARACTERS_PER_TOKEN = 4;

/** Runs one labelled recording past a policy. */
export async function runTrace(
  trace: Trace,
  label: GoldLabel,
  policy: StopPolicy,
): Promise<TraceResult> {
  const signals = turnSignals(trace.turns);
  const stop = await firstStop(
    policy,
    signals.map(({ signal }) => signal),
    {},
  );
  const at = stop === undefined ? null : (signals[stop.index]?.turn ?? null);
  const evident = label.first_turn_evident ?? null;
  const saved = at === null ? { turns: 0, tokens: 0 } : savedBy(trace, at);
  return {
    id: label.id,
    outcome: label.loop === true ? judgeLoop(at, evident) : at === null ? 'quiet' : 'false-trip',
    at,
    evident,
    kind: stop?.kind ?? null,
    savedTurns: saved.turns,
    savedTokens: saved.tokens,
  };
}

/** What a stop saves. */
export interface Saved {
  readonly turns: number;
  readonly tokens: number;
}

/** The turns after the one at `at`, and the tokens in them. */
export function savedBy({ turns }: Trace, at: number): Saved {
  const rest = turns.slice(at + 1);
  const characters = rest.reduce((sum, { content }) => sum + content.length, 0);
  return { turns: rest.length, tokens: Math.round(characters / CHARACTERS_PER_TOKEN) };
}

/** Adds results up. */
export function scoreTraces(results: readonly TraceResult[]): TraceScore {
  const count = (outcome: TraceOutcome): number =>
    results.filter((result) => result.outcome === outcome).length;
  const delays = results
    .filter(({ outcome }) => outcome === 'hit')
    .map(({ at, evident }) => (at ?? 0) - (evident ?? 0))
    .sort((a, b) => a - b);
  const healthy = count('quiet') + count('false-trip');
  return {
    loops: results.length - healthy,
    hit: count('hit'),
    early: count('early'),
    late: count('late'),
    missed: count('missed'),
    healthy,
    falseTrips: count('false-trip'),
    medianDelay: delays[delays.length >> 1] ?? null,
  };
}

function judgeLoop(at: number | null, evident: number | null): TraceOutcome {
  if (at === null || evident === null) return 'missed';
  if (at < evident - TURNS_BEFORE) return 'early';
  return at <= evident + TURNS_AFTER ? 'hit' : 'late';
}
