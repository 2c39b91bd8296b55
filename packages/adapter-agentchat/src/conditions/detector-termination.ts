import { type ComponentClass, type ComponentModel, componentModel } from '@teamfuse/agentchat';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { type DetectorName, NO_DETECTORS } from '@teamfuse/core/detectors';
import { BreakerTermination } from '../breaker-termination.ts';

const MODULE = 'teamfuse.conditions';

/**
 * Base of conditions with a single detector; a reset restores their initial state.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new RepetitionTermination({ limit: 4 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
 */
export abstract class DetectorTermination extends BreakerTermination {
  /** The class name, by which stop messages and dumps name the condition. */
  abstract override readonly label: string;
  readonly #options: object;

  /** @throws InvalidOptionError naming the option of the detector. */
  constructor(name: DetectorName, options: object) {
    const detection: BreakerOptions = { ...NO_DETECTORS, [name]: options };
    super(new Breaker(detection));
    this.#options = { ...options };
  }

  override async reset(): Promise<void> {
    await super.reset();
    this.breaker.reset();
  }

  /** The condition as plain JSON: the options of its detector. */
  override dumpComponent(): ComponentModel {
    const identity = { provider: `${MODULE}.${this.label}`, componentType: 'termination' };
    return componentModel(identity, this.#options as Readonly<Record<string, unknown>>);
  }
}

/** How a condition is loaded: its config is the options of its detector. */
export function detectorCondition<T extends DetectorTermination>(
  label: string,
  load: (options: object) => T,
): ComponentClass<T> {
  return { provider: `${MODULE}.${label}`, load };
}
