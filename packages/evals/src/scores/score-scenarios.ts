import { type Scenario, toOptions, toSignal } from '../conversations/scenario.ts';
import { firstStop, type Stop, type StopPolicy } from './watcher.ts';

/** How a policy did on one scenario. */
export type ScenarioOutcome = 'passed' | 'missed' | 'false-trip' | 'early' | 'late' | 'wrong-kind';

/** A scenario with what a policy made of it. */
export interface ScenarioResult {
  readonly id: string;
  readonly outcome: ScenarioOutcome;
  /** Event at which it stopped, counted from 1. */
  readonly at: number | null;
  readonly kind: string | null;
  readonly window: readonly [number, number] | null;
}

/** The totals over scenarios. */
export interface ScenarioScore {
  readonly total: number;
  readonly passed: number;
  readonly missed: number;
  readonly falseTrips: number;
  readonly outsideWindow: number;
  readonly wrongKind: number;
  readonly pairs: number;
  readonly pairsWon: number;
}

/** Runs one scenario past a policy. */
export async function runScenario(scenario: Scenario, policy: StopPolicy): Promise<ScenarioResult> {
  const signals = scenario.events.map(toSignal);
  const stop = await firstStop(policy, signals, toOptions(scenario.config));
  return {
    id: scenario.id,
    outcome: judge(scenario, stop),
    at: stop === undefined ? null : stop.index + 1,
    kind: stop?.kind ?? null,
    window: scenario.window,
  };
}

/** Adds results up. A pair is won if a scenario and its twin both pass. */
export function scoreScenarios(
  scenarios: readonly Scenario[],
  results: readonly ScenarioResult[],
): ScenarioScore {
  const count = (...outcomes: ScenarioOutcome[]): number =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const passed = new Set(results.filter((r) => r.outcome === 'passed').map((r) => r.id));
  const ids = new Set(scenarios.map(({ id }) => id));
  const pairs = scenarios.filter(({ id, twin }) => ids.has(twin) && id < twin);
  return {
    total: results.length,
    passed: count('passed'),
    missed: count('missed'),
    falseTrips: count('false-trip'),
    outsideWindow: count('early', 'late'),
    wrongKind: count('wrong-kind'),
    pairs: pairs.length,
    pairsWon: pairs.filter(({ id, twin }) => passed.has(id) && passed.has(twin)).length,
  };
}

function judge({ must, window, kinds }: Scenario, stop: Stop | undefined): ScenarioOutcome {
  if (must === 'no-trip') return stop === undefined ? 'passed' : 'false-trip';
  if (stop === undefined || window === null) return 'missed';
  const at = stop.index + 1;
  if (at < window[0]) return 'early';
  if (at > window[1]) return 'late';
  return kinds.includes(stop.kind) ? 'passed' : 'wrong-kind';
}
