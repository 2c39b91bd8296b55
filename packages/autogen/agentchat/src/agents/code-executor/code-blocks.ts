import type { CodeBlock } from '@teamfuse/code-executors';

/**
 * Finds the code blocks of a Markdown text that are labelled with one of `languages`, in any case.
 *
 * As in AutoGen, the line must end right after the label: a blank or a carriage return after it hides the block,
 * as does a fence of tildes.
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

/** Formats code blocks as Markdown for the approval request. */
export function formatCodeBlocks(blocks: readonly CodeBlock[]): string {
  return blocks.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``).join('\n\n');
}
