/** What {@link Guard.selfTest} found on one agent. */
export interface AgentReport {
  readonly agent: string;
  /** Whether the guard was found first among the reply functions, or the agent does not show them. */
  readonly reply: 'verified' | 'unreadable';
  /** How the agent is heard: by its taps, as it sends, or only in the histories it is asked to answer. */
  readonly heardBy: 'taps' | 'hook' | 'history';
}

/** What {@link Guard.selfTest} found. */
export interface SelfTestReport {
  readonly agents: readonly AgentReport[];
  /** Members of guarded groups that are not guarded: their models, tools and programs are not seen. */
  readonly unguarded: readonly string[];
}
