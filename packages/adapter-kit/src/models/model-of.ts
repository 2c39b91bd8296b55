import type { GuardOptions } from '../context/guard-options.ts';

/** The model that a user declared for an agent. */
export function modelOf(models: GuardOptions['models'], agent: string): string | undefined {
  if (typeof models === 'string' || models === undefined) return models;
  return Object.hasOwn(models, agent) ? models[agent] : undefined;
}
