import { builtInComponents, ComponentRegistry, TimeoutTermination } from '@teamfuse/agentchat';
import type { Clock } from './clock.ts';
import { VectorModel } from './vector-model.ts';

/** The built-in components, with the case's clock and scripted models. */
export function vectorRegistry(clock: Clock): ComponentRegistry {
  const { component: timeout } = TimeoutTermination;
  return new ComponentRegistry([
    ...builtInComponents.filter((componentClass) => componentClass !== timeout),
    {
      ...timeout,
      load(config, loader) {
        // The class checks the config; the copy runs on the clock of the case.
        timeout.load(config, loader);
        return new TimeoutTermination(Number(config.timeout_seconds), clock);
      },
    },
    VectorModel.component,
  ]);
}
