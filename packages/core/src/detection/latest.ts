/** The latest events of a conversation. */
export interface Latest {
  /** How many tool calls and code executions in a row have failed in the current run. */
  readonly failuresInARow: number;
  /** The exit code of the latest code execution of the current run: `null` if killed, `undefined` if there was none. */
  readonly lastExitCode: number | null | undefined;
  /** The authors of the messages among the latest 512 signals, the last speaker last. */
  readonly speakers: readonly string[];
}
