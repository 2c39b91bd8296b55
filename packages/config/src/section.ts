import type { PathStep } from './locate-key.ts';
import { merge } from './merge.ts';
import type { PolicyOptions } from './policy.ts';
import type { Section } from './policy-schema.ts';

/** The options that a section stands for: what it says of single agents belongs to its budget. */
export function optionsOf({ agents = {}, ...options }: Section): PolicyOptions {
  const budgets = Object.entries(agents).filter(([, { budget }]) => budget !== undefined);
  if (budgets.length === 0) return options;
  const own = Object.fromEntries(budgets.map(([name, { budget }]) => [name, budget]));
  return merge(options, { budget: { agents: own } });
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

/** The names in a path, which may have dots themselves. */
function stepsIn(path: string, table: unknown): readonly string[] {
  const names = Object.keys(Object(table)).filter((name) => `${path}.`.startsWith(`${name}.`));
  const [name] = names.toSorted((a, b) => b.length - a.length);
  if (name === undefined) return path.split('.');
  if (name.length === path.length) return [name];
  const inner = (table as Readonly<Record<string, unknown>>)[name];
  return [name, ...stepsIn(path.slice(name.length + 1), inner)];
}
