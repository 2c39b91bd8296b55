/** The check of one tap. */
export interface TapCheck {
  /** The object that the tap is on: `agent 'writer'`. */
  readonly owner: string;
  readonly member: string;
  readonly isWorking: boolean;
  /** What is wrong; missing if it works. */
  readonly problem?: string;
}

/** The result of a guard's self-test. */
export interface SelfTestReport {
  /** Whether a known loop was found and every tap refused the steps after it. */
  readonly isPassed: boolean;
  readonly checks: readonly TapCheck[];
  /** Members of guarded teams that are not guarded: their models, tools and code are not seen. */
  readonly unguarded: readonly string[];
}
