import type { GuardOptions } from '@teamfuse/adapter-kit';
import { POLICY_BREAKER_NAMES, type PolicyBreakerOptions } from '@teamfuse/config';
import type { OptionNames } from '@teamfuse/core/options';

/** Options of {@link installOn}: what no file can hold. */
export interface InstallOptions
  extends PolicyBreakerOptions,
    Pick<GuardOptions, 'prices' | 'models' | 'counter' | 'history' | 'onError' | 'conversation'> {
  /**
   * The folder where the search for a `teamfuse.toml` starts; it continues in the parent folders.
   * @defaultValue the working directory
   */
  readonly cwd?: string;
}

/** The names of all options. */
export const INSTALL_OPTION_NAMES: OptionNames<InstallOptions> = {
  ...POLICY_BREAKER_NAMES,
  prices: true,
  models: true,
  counter: true,
  history: true,
  conversation: true,
  onError: true,
  cwd: true,
};
