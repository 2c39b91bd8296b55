import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { Threads } from '../../src/identity/threads.ts';
import type { Item } from '../../src/index.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Megabytes in use. What weak references hold goes with the turn of the loop. */
async function megabytes(): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const PARTS = 5;

/** The most that is remembered at a time, and how much more memory it may take in the end. */
interface Most {
  readonly maxConversations: number;
  readonly maxNodes: number;
  readonly maxGrowthMb: number;
}

export const DEFAULTS: Most = { maxConversations: 1_000, maxNodes: 200_000, maxGrowthMb: 5 };
/** So little that a few conversations reach it. */
export const FEW: Most = { maxConversations: 100, maxNodes: 10_000, maxGrowthMb: 2 };

function threads(most: Most): (items: readonly Item[], text: string) => void {
  let count = 0;
  const all = new Threads(() => `${count++}`, most);
  return (items, text) => {
    const rest = { maxOutputTokens: undefined, isStreamed: false, previousId: undefined };
    const answer: Item = { kind: 'text', role: 'assistant', text };
    const joined = all.join({ model: 'm', items, ...rest }, { scope: '' });
    joined.ended({ id: crypto.randomUUID(), items: [answer], usage: undefined, isComplete: true });
  };
}

const line = (text: string): Item => ({ kind: 'text', role: 'user', text });

/** Does something so often, and measures the memory after each fifth of that: from the first to the last it hardly grows. */
async function checkGrowth(
  count: number,
  { maxGrowthMb }: Most,
  step: (i: number) => void,
): Promise<void> {
  const used: number[] = [];
  for (let i = 0; i < count; i++) {
    step(i);
    if ((i + 1) % (count / PARTS) === 0) used.push(await megabytes());
  }
  console.log(`MB after each ${count / PARTS}: ${used.map((mb) => mb.toFixed(1)).join(', ')}`);
  expect((used.at(-1) ?? 0) - (used[0] ?? 0)).toBeLessThan(maxGrowthMb);
}

/** Has so many conversations of 50 messages, of which only some are remembered at a time. */
export async function checkMemory(conversations: number, most: Most): Promise<void> {
  const tell = threads(most);
  await checkGrowth(conversations, most, (id) => {
    const items = Array.from({ length: 50 }, (_, i) => line(`${id} at ${i} said a word or two.`));
    tell(items, `The answer to ${id}.`);
  });
}

/** Has a conversation of so many turns whose client keeps the last 60 messages. */
export async function checkCuts(turns: number, most: Most): Promise<void> {
  const tell = threads(most);
  let history: readonly Item[] = [line('Tell a story without an end.')];
  await checkGrowth(turns, most, (turn) => {
    const text = `In line ${turn} the keeper of the lighthouse counts the ships again.`;
    tell(history, text);
    const said: Item = { kind: 'text', role: 'assistant', text };
    history = [...history, said, line(`And after ${turn}?`)].slice(-60);
  });
}
