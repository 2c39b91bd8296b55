import { builtInComponents, ComponentRegistry, TimeoutTermination } from '@teamfuse/agentchat';
import type { Clock } from './clock.ts';
import { VectorModel } from './vector-model.ts';

/** The built-in components, with the case's clock and scripted models. */
export function vectorRegistry(clock: Clock): ComponentRegistry {
  const { component: timeout } = TimeoutTermination;
  const replaced = [timeout.provider, VectorModel.component.provider];
  return new ComponentRegistry([
    ...builtInComponents.filter(({ provider }) => !replaced.includes(provider)),
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
