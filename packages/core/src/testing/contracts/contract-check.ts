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
