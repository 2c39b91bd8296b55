/** A piece of code somebody wrote. */
export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

/** Fences with a language: only those are ever run. */
const FENCE = /^```[ \t]*([\w+#-]+)[ \t]*\r?\n([\s\S]*?)^```/gm;

/** The labelled code blocks in a text. */
export function findCodeBlocks(text: string): readonly CodeBlock[] {
  if (!text.includes('```')) return [];
  return [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ code, language }));
}

/** Code blocks that were run together, as one piece. */
export function joinBlocks(blocks: readonly CodeBlock[]): CodeBlock {
  return {
    code: blocks.map(({ code }) => code.trimEnd()).join('\n'),
    language: blocks[0]?.language.toLowerCase() ?? '',
  };
}
