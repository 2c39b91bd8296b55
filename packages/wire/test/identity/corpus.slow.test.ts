import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Item } from '../../src/item.ts';
import { type Playing, play, type Recorded } from './play-side-by-side.ts';

const CORPUS =
  process.env.WIRE_CORPUS ??
  fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
/** Every how many recordings one is played; 1 takes two minutes each way. `--silent=false --reporter=default` prints the figures. */
const SHARE = Number(process.env.WIRE_SHARE ?? 10);

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS).filter((name) => name.endsWith('.jsonl.gz'))
  : [];

const CLOCK = (speaker: string, request: number): string =>
  `You are ${speaker}. It is ${new Date(request * 1_000).toISOString()}.`;

/** How coding agents shorten a history: every so many messages it is summed up, and the last ones stay. */
const COMPACTED_AFTER = 50;
const KEPT = 8;

function compacted(history: readonly Item[]): readonly Item[] {
  const times = Math.floor(history.length / COMPACTED_AFTER);
  if (times === 0) return history;
  const text = `Summary ${times} of what was said in ${COMPACTED_AFTER * times} messages.`;
  const from = Math.max(0, times * COMPACTED_AFTER - KEPT);
  return [{ kind: 'text', role: 'user', text }, ...history.slice(from)];
}

/** The first message, a note on what is left out, and the last ones. */
function headAndTail(history: readonly Item[]): readonly Item[] {
  const left = history.length - 1 - KEPT;
  if (left <= 0) return history;
  const text = `Skipped ${left} messages.`;
  return [...history.slice(0, 1), { kind: 'text', role: 'user', text }, ...history.slice(-KEPT)];
}

const WAYS: Readonly<Record<string, Partial<Playing>>> = {
  plain: {},
  'with a clock in each system prompt': { prompt: CLOCK },
  'with a summary every 50 messages': { cut: compacted },
  'cut to head and tail': { cut: headAndTail },
  '40 at once': { atOnce: 40 },
};

test.skipIf(files.length === 0).each(Object.entries(WAYS))(
  '[WIRE1] recorded conversations that run side by side, %s, are told apart (needs the recordings)',
  (edge, playing) => {
    const all = files.map((file) => ({ file, ...play(read(file), playing) }));
    const sum = (of: 'wrong' | 'splits' | 'requests'): number =>
      all.reduce((total, one) => total + one[of], 0);
    const total = { requests: sum('requests'), wrong: sum('wrong'), splits: sum('splits') };
    console.log(edge);
    console.table([...all, { file: 'all', ...total }]);
    expect(total.wrong).toBe(0);
    expect(total.splits).toBeLessThanOrEqual(total.requests / 100);
  },
);

function read(file: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(`${CORPUS}/${file}`)).toString();
  const all = text
    .split('\n')
    .filter(Boolean)
    .map((line): Recorded => JSON.parse(line));
  return all.filter((_, i) => i % SHARE === 0);
}
