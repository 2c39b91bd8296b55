import { Breaker } from '@teamfuse/core';
import { expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';
import { checkCuts, checkMemory, FEW } from './support/memory.ts';
import { answerOf, type Message, said, user } from './support/wiretap.ts';

const URL = 'https://api.example/v1/chat/completions';
const SIZES = [10, 100, 1000];
const ROUNDS = 15;
const FILLER = ' and the harbour master noted the wind, the tide and the hour in his book.'.repeat(
  2,
);

/** A client before an endpoint that costs nothing, so that the guard is all that takes time. */
function client() {
  let answer = '';
  const fetch = guardFetch(new Breaker({ reaction: 'observe' }), {
    fetch: async () => new Response(answer),
  });
  return async (messages: readonly Message[], text: string): Promise<number> => {
    answer = JSON.stringify(answerOf(said(text)));
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    const from = performance.now();
    await (await fetch(URL, { method: 'POST', body })).text();
    return performance.now() - from;
  };
}

test('[WIRE25] a request takes time for each message of its history once, whatever its length', async () => {
  const rows: { messages: number; ms: number; parseMs: number; usPerMessage: number }[] = [];
  for (const size of SIZES) {
    const ask = client();
    const history = Array.from({ length: size }, (_, i) => {
      const text = `Entry ${i}${FILLER}`;
      return i % 2 === 0 ? user(text) : said(text);
    });
    const times: number[] = [];
    const parses: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const text = `Entry ${size + 2 * round}${FILLER}`;
      times.push(await ask(history, text));
      history.push(said(text), user(`Next ${round}`));
      const from = performance.now();
      JSON.parse(JSON.stringify(history));
      parses.push(performance.now() - from);
    }
    const ms = Math.min(...times.slice(1));
    rows.push({
      messages: size,
      ms,
      parseMs: Math.min(...parses),
      usPerMessage: (1000 * ms) / size,
    });
  }
  console.table(
    rows.map((row) => ({ ...row, ms: row.ms.toFixed(3), parseMs: row.parseMs.toFixed(3) })),
  );
  const [, hundred, thousand] = rows;
  expect(thousand?.usPerMessage).toBeLessThan(4 * (hundred?.usPerMessage ?? 0));
});

test('[WIRE25] a request that is repeated or matches nothing takes no longer than its length', async () => {
  const ask = client();
  const history = Array.from({ length: 1000 }, (_, i) => user(`Entry ${i}${FILLER}`));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await ask(history, `Answer ${FILLER}`));
  console.log(
    `the same request of 1,000 messages again: ${Math.min(...times.slice(1)).toFixed(1)} ms`,
  );
  const other = [...history.slice(0, 500), user('Elsewhere.'), ...history.slice(500)];
  expect(await ask(other, 'Yes.')).toBeLessThan(1000);
  expect(Math.min(...times)).toBeLessThan(500);
});

test('[WIRE26] memory stays the same over five hundred conversations of 50 messages', () =>
  checkMemory(500, FEW));

test('[WIRE26] memory stays the same over a conversation that is cut again and again', () =>
  checkCuts(500, FEW));
