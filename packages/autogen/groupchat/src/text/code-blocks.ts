import type { CodeBlock } from '@teamfuse/code-executors';

// One fence: optional language, a line break, the code, a line break, the closing fence.
const fence = /```[ \t]*([\p{L}\p{N}_]+)?[ \t]*\r?\n(.*?)\r?\n[ \t]*```/gsu;

/** The fenced code blocks of a text; the language is as written, `""` without one. */
export function fencedBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(fence)].map(([, language = '', code = '']) => ({ language, code }));
}

/** Guesses the language of a block that does not declare it. */
export function inferLanguage(code: string): string {
  if (/^(?:python3? |pip)/.test(code)) return 'sh';
  return looksLikePython(code) ? 'python' : 'unknown';
}

// AutoGen compiles the code. There may be no Python here, so the shape of the lines decides.
function looksLikePython(code: string): boolean {
  const bare = code.replace(textOrComment, ' "" ');
  return !twoWords.test(bare) && !foreign.test(bare);
}

const textOrComment = /#.*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const keywords =
  'and|as|assert|async|await|break|case|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|pass|raise|return|try|type|while|with|yield';
// No statement of Python has two adjacent words that are not keywords.
const twoWords = new RegExp(`\\b(?!(?:${keywords})\\b)\\w+ +(?!(?:${keywords})\\b)\\w+`);
const foreign = /[;{]\s*$|^\s*[$<>]/m;
