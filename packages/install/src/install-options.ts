import type { GuardOptions } from '@teamfuse/adapter-kit';
import type { PolicyBreakerOptions } from '@teamfuse/config';
import type { OptionNames } from '@teamfuse/core';

/** Options of {@link installOn}: what no file can hold. */
export interface InstallOptions
  extends PolicyBreakerOptions,
    Pick<GuardOptions, 'prices' | 'models' | 'counter' | 'history' | 'onError'> {
  /**
   * The folder in which a `teamfuse.toml` is searched, and then in the folders above it.
   * @defaultValue the working directory
   */
  readonly cwd?: string;
}

/** The names of all options. */
export const INSTALL_OPTION_NAMES: OptionNames<InstallOptions> = {
  team: true,
  judge: true,
  detectors: true,
  now: true,
  timers: true,
  redact: true,
  budget: true,
  analysis: true,
  prices: true,
  models: true,
  counter: true,
  history: true,
  onError: true,
  cwd: true,
};
