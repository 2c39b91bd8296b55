import type { Summary } from '../output/summary.ts';
import type { AskedJudge } from '../replay/asked-judge.ts';

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
  /** The judge gave no usable answer, and nothing tripped. */
  noJudge: 4,
  interrupted: 130,
} as const;

/** The exit code where nothing tripped, or that does not count. */
export function endOf({ problems }: Summary, judge: AskedJudge | undefined): number {
  if (problems !== '') return EXIT.badInput;
  return judge?.unanswered ? EXIT.noJudge : EXIT.clean;
}
