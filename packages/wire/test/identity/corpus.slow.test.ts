import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { play, type Recorded } from './play-side-by-side.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/corpus', import.meta.url));
/** Every how many recordings one is played; 1 takes two minutes. */
const SHARE = Number(process.env.WIRE_SHARE ?? 10);

const files = existsSync(CORPUS)
  ? readdirSync(CORPUS).filter((name) => name.endsWith('.jsonl.gz'))
  : [];

test.skipIf(files.length === 0)(
  '[WIRE1] recorded conversations that run side by side are told apart (needs the recordings)',
  () => {
    const all = files.map((file) => ({ file, ...play(read(file)) }));
    console.table(all);
    const sum = (of: 'wrong' | 'splits' | 'requests'): number =>
      all.reduce((total, one) => total + one[of], 0);
    expect(sum('wrong')).toBe(0);
    expect(sum('splits')).toBeLessThanOrEqual(sum('requests') / 100);
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
