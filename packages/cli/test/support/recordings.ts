import { writeFileSync } from 'node:fs';

/** A message of a conversation, as a line of a recording. */
export function said(i: number, conversation: string, agent: string, text: string): string {
  return JSON.stringify({ kind: 'message', at: 1000 * i, agent, conversation, text });
}

/** A model call that cost something. */
export function paid(i: number, conversation: string, agent: string, costUsd: number): string {
  const tokens = { inputTokens: 100, outputTokens: 20 };
  return JSON.stringify({
    kind: 'usage',
    at: 1000 * i,
    agent,
    conversation,
    model: 'm',
    ...tokens,
    costUsd,
  });
}

const DONE = 'I have updated the draft as requested, please review it once more.';
const AGAIN = 'Thank you, it still needs a clearer summary, please revise the draft.';

/** Eight turns that go somewhere, and then a loop of two. */
export function loop(conversation: string, turns: number): string[] {
  return Array.from({ length: turns }, (_, i) => {
    if (i < 8) return said(i, conversation, 'planner', news(i));
    return i % 2 === 0
      ? said(i, conversation, 'writer', DONE)
      : said(i, conversation, 'critic', AGAIN);
  });
}

/** Turns that all go somewhere. */
export function progress(conversation: string, turns: number): string[] {
  return Array.from({ length: turns }, (_, i) => said(i, conversation, 'planner', news(i)));
}

function news(i: number): string {
  return `Step ${i}: section ${i * 7} covers topic number ${i * 13} with source ${i * 31}.`;
}

export function writeLines(path: string, lines: readonly string[]): string {
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
