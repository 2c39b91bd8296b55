import type { ModelInfo } from '../client.ts';

/** OpenAI's families under AutoGen's names, the longer prefix before the shorter. */
const families: readonly (readonly [prefix: string, family: string])[] = [
  ['gpt-5', 'gpt-5'],
  ['gpt-4.5', 'gpt-45'],
  ['gpt-4.1', 'gpt-41'],
  ['gpt-4o', 'gpt-4o'],
  ['chatgpt-4o', 'gpt-4o'],
  ['gpt-4', 'gpt-4'],
  ['gpt-3.5', 'gpt-35'],
  ['o1', 'o1'],
  ['o3', 'o3'],
  ['o4', 'o4'],
];

const textOnly: ReadonlySet<string> = new Set(['gpt-4', 'gpt-35']);

/**
 * The capabilities of a model, judged by its name.
 *
 * An unknown model is taken for what most OpenAI-compatible servers run: tools and JSON, but no images and no schemas.
 */
export function modelInfoOf(model: string): ModelInfo {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const family = families.find(([prefix]) => startsWithWord(name, prefix))?.[1] ?? 'unknown';
  const isModern = family !== 'unknown' && !textOnly.has(family);
  return {
    vision: isModern,
    functionCalling: true,
    jsonOutput: true,
    structuredOutput: isModern,
    family,
    multipleSystemMessages: true,
  };
}

/** `o1-mini` starts with the word `o1`, `o10` does not. */
function startsWithWord(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && !/^[a-z0-9]/.test(name.slice(prefix.length));
}
