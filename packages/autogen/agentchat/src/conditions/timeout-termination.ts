import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { invalidOption, knownOptions } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/** Options of {@link TimeoutTermination}. */
export interface TimeoutOptions {
  /**
   * The clock, in milliseconds from any start.
   * @defaultValue performance.now
   */
  readonly now?: (() => number) | undefined;
}

/** The names of {@link TimeoutOptions}. */
const optionNames: OptionNames<TimeoutOptions> = {
  now: true,
};

const configSchema = z.object({ timeout_seconds: z.number() });

/**
 * Stops at the end of the first turn after the timeout, counted from construction or the last reset.
 *
 * It does not interrupt a turn.
 *
 * @example
 * ```ts
 * let now = 0;
 * const condition = new TimeoutTermination(60, { now: () => now });
 * await condition.call([]); // => null
 * now = 60_000;
 * (await condition.call([]))?.content; // => 'Timeout of 60 seconds reached'
 * ```
 */
export class TimeoutTermination extends LeafTermination {
  static readonly component: ComponentClass<TimeoutTermination> = conditionClass(
    'TimeoutTermination',
    (config) => {
      const { timeout_seconds } = validate(configSchema, config, 'TimeoutTerminationConfig');
      return new TimeoutTermination(timeout_seconds);
    },
  );
  readonly label = 'TimeoutTermination';
  readonly #timeoutSeconds: number;
  readonly #now: () => number;
  #startedAt: number;

  constructor(timeoutSeconds: number, options: TimeoutOptions = {}) {
    const { now = () => performance.now() } = knownOptions(
      'TimeoutTermination',
      options,
      optionNames,
    );
    super();
    if (!Number.isFinite(timeoutSeconds)) {
      throw invalidOption('timeoutSeconds', 'a finite number', timeoutSeconds);
    }
    this.#timeoutSeconds = timeoutSeconds;
    this.#now = now;
    this.#startedAt = now();
  }

  override async reset(): Promise<void> {
    this.#startedAt = this.#now();
    await super.reset();
  }

  protected judge(): string | null {
    const isOver = this.#now() - this.#startedAt >= this.#timeoutSeconds * 1000;
    return isOver ? `Timeout of ${this.#timeoutSeconds} seconds reached` : null;
  }

  protected config(): Record<string, unknown> {
    return { timeout_seconds: this.#timeoutSeconds };
  }
}
