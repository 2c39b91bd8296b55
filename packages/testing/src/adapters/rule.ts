import { ContractViolationError } from '../contracts/contract-check.ts';
import type { AdapterHarness, Capability } from './harness.ts';

/** One rule of the contract of adapters, to be run by any test runner. */
export interface AdapterRule {
  /** The rule's ID, such as `ADP1`. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly title: string;
  /** What the rule needs and the framework lacks. A runner reports the rule as skipped if there is anything. */
  readonly missing: readonly Capability[];
  /** Why that is missing, in the words of the harness; empty if nothing is. */
  readonly reason: string;
  /** Rejects with a `ContractViolationError` when the rule is broken, or cannot be checked for what is missing. */
  check(): Promise<void>;
}

/** A rule before the harness is known. */
export interface RuleDraft {
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Capability[];
  readonly check: (harness: AdapterHarness) => Promise<void>;
}

/** A rule to be listed. */
export function rule(
  id: string,
  title: string,
  needs: readonly Capability[],
  check: RuleDraft['check'],
): RuleDraft {
  return { id, title, needs, check };
}

/** Binds a rule to the harness of a framework. */
export function bind({ id, title, needs, check }: RuleDraft, harness: AdapterHarness): AdapterRule {
  const { lacks = {} } = harness;
  const missing = needs.filter((capability) => lacks[capability] !== undefined);
  const reason = missing.map((capability) => `${capability}: ${lacks[capability]}`).join('; ');
  return {
    id,
    title,
    missing,
    reason,
    async check() {
      if (missing.length > 0) {
        const problem = `cannot be checked without ${missing.join(', ')} (${reason})`;
        throw new ContractViolationError(id, problem);
      }
      try {
        await check(harness);
      } catch (cause) {
        const problem = cause instanceof Error ? cause.message : String(cause);
        throw new ContractViolationError(id, problem, { cause });
      }
    },
  };
}
