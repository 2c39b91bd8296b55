import type { StopPolicy } from '../scores/watcher.ts';

/** The rule of another project, written anew from what that project documents. */
export interface Peer extends StopPolicy {
  /** The release, the commit or, where neither is known, the day of what was read. */
  readonly version: string;
  /** Where the rule is documented. */
  readonly source: string;
}
