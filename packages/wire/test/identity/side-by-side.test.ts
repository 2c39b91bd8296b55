import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { play, type Recorded } from './play-side-by-side.ts';

/** Conversations in pairs, of which many begin alike. */
const PAIRS = new URL('../../../evals/fixtures/blind/', import.meta.url);

test('[WIRE1] conversations that run side by side are told apart, also where they begin alike', () => {
  const { requests, wrong, splits } = play(readdirSync(PAIRS).flatMap(read));
  expect(requests).toBeGreaterThan(2_000);
  expect(wrong).toBe(0);
  expect(splits).toBeLessThanOrEqual(requests / 100);
});

function read(file: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(new URL(file, PAIRS))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { events }: { readonly events: readonly { agent: string; text?: string }[] } =
        JSON.parse(line);
      const said = events.filter((event) => event.text !== undefined);
      return { turns: said.map(({ agent, text = '' }) => ({ speaker: agent, content: text })) };
    });
}
