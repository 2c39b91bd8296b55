import type { CodeBlock } from '@teamfuse/code-executors';

// One fence: optional language, a line break, the code, a line break, the closing fence.
const fence = /```[ \t]*([\p{L}\p{N}_]+)?[ \t]*\r?\n(.*?)\r?\n[ \t]*```/gsu;

/** The fenced pieces of code in a text; the language is as written, `""` when none is. */
export function fencedBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(fence)].map(([, language = '', code = '']) => ({ language, code }));
}

/** Guesses the language of code that does not name it. */
export function inferLanguage(code: string): string {
  if (/^(?:python3? |pip)/.test(code)) return 'sh';
  return looksLikePython(code) ? 'python' : 'unknown';
}

// AutoGen compiles the code to find out. Without a Python at hand the shape of the lines has to do.
function looksLikePython(code: string): boolean {
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return lines.every((line) => !proseLine.test(line) && !foreignLine.test(line));
}

const keyword =
  '(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)';
// Two bare words side by side, neither of them a keyword: no statement of Python has that.
const proseLine = new RegExp(`^\\s*(?!${keyword}\\b)[A-Za-z_]\\w* +(?!${keyword}\\b)[A-Za-z_]\\w*`);
const foreignLine = /[;{]\s*$|^\s*[$<>]/;
