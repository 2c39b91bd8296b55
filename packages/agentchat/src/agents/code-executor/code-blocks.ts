import type { CodeBlock } from '@teamfuse/code-executors';

/**
 * Finds the code blocks of a Markdown text that are labelled with one of `languages`, in any case.
 *
 * The label has to be followed by the end of the line at once: a blank or a carriage return after it hides the block,
 * as does a fence of tildes. So AutoGen has it.
 */
export function extractCodeBlocks(
  markdown: string,
  languages: readonly string[],
): readonly CodeBlock[] {
  if (languages.length === 0) return [];
  const label = languages.map((language) => language.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const fence = new RegExp(`\`\`\`\\s*(${label.join('|')})\\n([\\s\\S]*?)\`\`\``, 'gi');
  return [...markdown.matchAll(fence)].map(([, language = '', code = '']) => ({ language, code }));
}

/** Writes code blocks as Markdown, the way a person is asked to approve them. */
export function formatCodeBlocks(blocks: readonly CodeBlock[]): string {
  return blocks.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``).join('\n\n');
}
