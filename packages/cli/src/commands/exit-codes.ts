/** Exit codes. */
export const EXIT = {
  clean: 0,
  /** A conversation tripped. */
  tripped: 1,
  /** A check of the project failed. */
  problem: 1,
  /** The command line was wrong. */
  usage: 2,
  /** Something could not be read, and nothing tripped. */
  badInput: 3,
  interrupted: 130,
} as const;
