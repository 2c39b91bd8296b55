import { fileURLToPath } from 'node:url';
import type { EvalOptions } from '../../src/index.ts';

export const fixture = (path: string): string =>
  fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));
/** The recorded answers of a judge. */
export const ANSWERS: string = fixture('aside/answers.jsonl');

interface Asked {
  readonly questionsPerHealthy: number;
  readonly unanswered: number;
}

/** What a command prints as its last line. */
export async function lastLine<T>(
  command: (options: EvalOptions) => Promise<string>,
  files: object,
): Promise<T & Asked> {
  const text = await command({ isJson: true, asks: undefined, answers: undefined, ...files });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as T & Asked;
}
