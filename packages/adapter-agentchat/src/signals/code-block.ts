import type { CodeBlock } from '@teamfuse/adapter-kit';

const MARK = '```';
/** Fences with a language: only those are ever run. */
const FENCE = /^```[ \t]*([\w+#-]+)[ \t]*\r?\n([\s\S]*?)^```/gm;

/** The labelled code blocks in a text. */
export function findCodeBlocks(text: string): readonly CodeBlock[] {
  if (!text.includes(MARK)) return [];
  return [...text.matchAll(FENCE)].map(([, language = '', code = '']) => ({ code, language }));
}
