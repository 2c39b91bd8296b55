import { fileURLToPath } from 'node:url';
import {
  breakerPolicy,
  readDialogues,
  readScenarios,
  runScenario,
  type Scenario,
  type ScenarioScore,
  type StopPolicy,
  scoreScenarios,
} from '../../src/index.ts';

/** Scripted conversations of the fixtures, and the least that the default policy without a judge has to do on them. */
export interface ScriptedSet {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  readonly total: number;
  readonly passed: number;
  readonly falseTrips: number;
  readonly pairsWon: number;
  /** Whether nothing but words tells its loops from their twins, which is for the judge. */
  readonly isTalk?: boolean;
}

const CYCLES = ['speaker-cycle', 'repetition', 'execution-storm'];
const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

/** All of them. The figures are floors and ceilings close to what was measured, so that a loss shows. */
export const SETS: readonly ScriptedSet[] = [
  {
    name: 'scenarios',
    scenarios: readScenarios(fixture('scenarios')),
    total: 124,
    passed: 95,
    falseTrips: 0,
    pairsWon: 33,
  },
  {
    name: 'blind',
    scenarios: readScenarios(fixture('blind')),
    total: 216,
    passed: 138,
    falseTrips: 0,
    pairsWon: 30,
  },
  {
    name: 'pairs',
    scenarios: readDialogues(fixture('pairs.txt'), CYCLES),
    total: 86,
    passed: 63,
    falseTrips: 0,
    pairsWon: 20,
  },
  {
    name: 'tool-work',
    scenarios: readDialogues(fixture('tool-work.txt'), CYCLES),
    total: 16,
    passed: 13,
    falseTrips: 0,
    pairsWon: 5,
  },
  {
    name: 'dialogues',
    scenarios: readDialogues(fixture('dialogues.txt')),
    total: 42,
    passed: 27,
    falseTrips: 0,
    pairsWon: 0,
    isTalk: true,
  },
  {
    name: 'talk',
    scenarios: readScenarios(fixture('talk')),
    total: 68,
    passed: 34,
    falseTrips: 0,
    pairsWon: 0,
    isTalk: true,
  },
];

/** What a policy, by default ours, scores on scenarios. */
export async function scoreOf(
  scenarios: readonly Scenario[],
  policy: StopPolicy = breakerPolicy('teamfuse'),
): Promise<ScenarioScore> {
  const results = await Promise.all(scenarios.map((scenario) => runScenario(scenario, policy)));
  return scoreScenarios(scenarios, results);
}
