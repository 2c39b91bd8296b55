/** One rule of a contract, to be run by any test runner. */
export interface ContractCheck {
  /** The rule's ID, such as `DET1`. */
  readonly id: string;
  /** The rule in one sentence. */
  readonly title: string;
  /** Throws {@link ContractViolationError} when the rule is broken. */
  check(): void;
}

/** One rule of a contract that has to wait for answers. */
export interface AsyncContractCheck extends Omit<ContractCheck, 'check'> {
  /** Rejects with a {@link ContractViolationError} when the rule is broken. */
  check(): Promise<void>;
}

/** Something breaks a rule that all of its kind keep. */
export class ContractViolationError extends Error {
  override readonly name = 'ContractViolationError';
  /** The rule's ID. */
  readonly rule: string;

  constructor(rule: string, problem: string, options?: ErrorOptions) {
    super(`${rule}: ${problem}`, options);
    this.rule = rule;
  }
}

/** Compares what was received with what was expected. */
export type Expect = (what: string, received: unknown, expected: unknown) => void;

/** Comparisons whose failures break this rule. */
export function expecting(id: string): Expect {
  return (what, received, expected) => {
    const [got, wanted] = [JSON.stringify(received), JSON.stringify(expected)];
    if (got === wanted) return;
    throw new ContractViolationError(id, `${what}: expected ${wanted}, received ${got}`);
  };
}

/** As JSON with the fields in order: a store may keep them in any. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
