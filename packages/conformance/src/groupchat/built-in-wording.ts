import { defaultSummaryPrompt, GroupChat } from '@teamfuse/groupchat';
import type { Forgives } from './json.ts';

// Everything before the names and roles, by which a built-in text is known again.
const group = new GroupChat({ agents: [] });
const openings: readonly string[] = [
  defaultSummaryPrompt,
  group.introductionsMsg().trimEnd(),
  ...Object.values(group.templates).map((template) => (template ?? '').split('{')[0] ?? ''),
];

/** Forgives that a built-in text is worded otherwise, where this implementation says its own. */
export const builtInWording: Forgives = (_expected, got) =>
  typeof got === 'string' && openings.some((opening) => opening !== '' && got.startsWith(opening));
