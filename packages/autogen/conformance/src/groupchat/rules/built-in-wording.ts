import { defaultSummaryPrompt, GroupChat } from '@teamfuse/groupchat';
import type { Difference } from '../../harness/difference.ts';

// Everything before the names and roles, by which a built-in text is known again.
const group = new GroupChat({ agents: [] });
const openings: readonly string[] = [
  defaultSummaryPrompt,
  group.introductionsMsg().trimEnd(),
  ...Object.values(group.templates).map((template) => (template ?? '').split('{')[0] ?? ''),
];

/** Whether a built-in text of this implementation stands in place of the recorded one. */
export function isBuiltInWording({ expected, got }: Difference): boolean {
  if (expected === undefined || typeof got !== 'string') return false;
  return openings.some((opening) => opening !== '' && got.startsWith(opening));
}
