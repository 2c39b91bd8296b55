import type { AdapterHarness } from './harness.ts';
import { type AdapterRule, bind } from './rule.ts';
import { FAILURE_RULES, STORE_RULES } from './rules/failures.ts';
import { GATE_RULES } from './rules/gate.ts';
import { HISTORY_RULES } from './rules/history.ts';
import { INPUT_RULES } from './rules/input.ts';
import { DISPOSAL_RULES, INSTALL_RULES } from './rules/install.ts';
import { JUDGE_RULES } from './rules/judge.ts';
import { LADDER_RULES } from './rules/ladder.ts';
import { LAST_ANSWER_RULES } from './rules/last-answer.ts';
import { LIMIT_RULES } from './rules/limits.ts';
import { NUDGE_RULES } from './rules/nudges.ts';
import { PROBE_RULES } from './rules/probe.ts';
import { REPORT_RULES } from './rules/reports.ts';
import { RUN_RULES } from './rules/runs.ts';
import { OTHER_GUARD_RULES, SELF_TEST_RULES } from './rules/self-test.ts';
import { SHARING_RULES } from './rules/sharing.ts';
import { STEP_RULES } from './rules/steps.ts';
import { TEAM_RULES } from './rules/teams.ts';
import { UNREACHED_RULES } from './rules/unreached.ts';
import { USAGE_RULES } from './rules/usage.ts';
import { USER_RULES } from './rules/users.ts';
import { PERSON_RULES, WAIT_RULES } from './rules/waits.ts';

const RULES = [
  ...STEP_RULES,
  ...REPORT_RULES,
  ...INPUT_RULES,
  ...PROBE_RULES,
  ...NUDGE_RULES,
  ...FAILURE_RULES,
  ...INSTALL_RULES,
  ...RUN_RULES,
  ...WAIT_RULES,
  ...SELF_TEST_RULES,
  ...STORE_RULES,
  ...DISPOSAL_RULES,
  ...HISTORY_RULES,
  ...SHARING_RULES,
  ...PERSON_RULES,
  ...OTHER_GUARD_RULES,
  ...JUDGE_RULES,
  ...TEAM_RULES,
  ...GATE_RULES,
  ...UNREACHED_RULES,
  ...USER_RULES,
  ...LADDER_RULES,
  ...LIMIT_RULES,
  ...LAST_ANSWER_RULES,
  ...USAGE_RULES,
];

/**
 * The rules that every adapter keeps, as checks for any test runner.
 *
 * @example
 * ```ts
 * for (const { id, title, missing, reason, check } of adapterContract(harness)) {
 *   it(`[${id}] ${title}`, ({ skip }) => {
 *     skip(missing.length > 0, reason);
 *     return check();
 *   });
 * }
 * ```
 */
export function adapterContract(harness: AdapterHarness): readonly AdapterRule[] {
  return RULES.map((draft) => bind(draft, harness));
}
