import type { ComponentClass } from '../component/component-loader.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/**
 * Stops after the turn during which {@link ExternalTermination.set} was called, for example by a button.
 *
 * @example
 * ```ts
 * const stop = new ExternalTermination();
 * const team = new RoundRobinGroupChat([poet, critic], { terminationCondition: stop });
 * const running = team.run({ task: 'Write a poem' });
 * stop.set();
 * const { stopReason } = await running;
 * stopReason; // => 'External termination requested'
 * ```
 */
export class ExternalTermination extends LeafTermination {
  static readonly component: ComponentClass<ExternalTermination> = conditionClass(
    'ExternalTermination',
    () => new ExternalTermination(),
  );
  readonly label = 'ExternalTermination';
  #isSet = false;

  /** Requests the end of the run. */
  set(): void {
    this.#isSet = true;
  }

  override async reset(): Promise<void> {
    this.#isSet = false;
    await super.reset();
  }

  protected judge(): string | null {
    return this.#isSet ? 'External termination requested' : null;
  }

  protected config(): Record<string, never> {
    return {};
  }
}
