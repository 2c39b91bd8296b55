import { PRESETS } from '@teamfuse/core';
import type { Preset } from '@teamfuse/core/kit';
import type { PathStep } from './locate-key.ts';
import { merge } from './merge.ts';
import type { PolicyOptions } from './policy.ts';
import type { Section } from './policy-schema.ts';

/** The options of a section, with its preset applied and `agents` moved into the budget. */
export function optionsOf({ agents = {}, preset, ...own }: Section): PolicyOptions {
  const options = preset === undefined ? own : merge(presetOf(preset), own);
  const budgets = Object.entries(agents).filter(([, { budget }]) => budget !== undefined);
  if (budgets.length === 0) return options;
  const byName = Object.fromEntries(budgets.map(([name, { budget }]) => [name, budget]));
  return merge(options, { budget: { agents: byName } });
}

/** Presets are data. */
function presetOf(name: Preset): PolicyOptions {
  return PRESETS[name] as PolicyOptions;
}

/** The keys that an option of a breaker has in a section. */
export function keysOf(option: string, section: Section): readonly PathStep[] {
  const steps = stepsIn(option, optionsOf(section));
  const [table, list, agent = '', ...rest] = steps;
  const isAgent = table === 'budget' && list === 'agents';
  return isAgent && Object.hasOwn(section.agents ?? {}, agent)
    ? ['agents', agent, 'budget', ...rest]
    : steps;
}

/** Splits a path into names, which may contain dots. */
function stepsIn(path: string, table: unknown): readonly string[] {
  const names = Object.keys(Object(table)).filter((name) => `${path}.`.startsWith(`${name}.`));
  const [name] = names.toSorted((a, b) => b.length - a.length);
  if (name === undefined) return path.split('.');
  if (name.length === path.length) return [name];
  const inner = (table as Readonly<Record<string, unknown>>)[name];
  return [name, ...stepsIn(path.slice(name.length + 1), inner)];
}
