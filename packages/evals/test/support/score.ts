import { fileURLToPath } from 'node:url';
import {
  breakerPolicy,
  type Policy,
  readScenarios,
  runScenario,
  type ScenarioScore,
  scoreScenarios,
} from '../../src/index.ts';

/** What a policy, by default ours, scores on the scenarios in a folder of the fixtures. */
export function scoreOf(folder: string, policy: Policy = breakerPolicy('teamfuse')): ScenarioScore {
  const path = new URL(`../../fixtures/${folder}`, import.meta.url);
  const scenarios = readScenarios(fileURLToPath(path));
  const results = scenarios.map((scenario) => runScenario(scenario, policy));
  return scoreScenarios(scenarios, results);
}
