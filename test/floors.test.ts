import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const CORE = fileURLToPath(new URL('../packages/core/src', import.meta.url));

/** The floors of core, the lowest first: each one imports from itself and from those below it, types included. */
const FLOORS: readonly (readonly string[])[] = [
  ['common', 'secrets'],
  ['state'],
  ['signal'],
  ['detection'],
  ['budget'],
  ['circuit'],
  ['disclosure'],
  ['judge', 'throttle'],
  ['events'],
  ['reactions'],
  ['admission'],
  ['breaker'],
  ['guard', 'explain', 'rx.ts'],
  ['index.ts', 'detectors.ts', 'kit.ts', 'options.ts', 'sharing.ts'],
];

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

const FILES = readdirSync(CORE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** The entry of {@link FLOORS} that a file belongs to: its folder, or the file itself. */
function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function floorOf(file: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)));
}

/** The imports of a file that go to a higher floor. */
function upward(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)]
    .map(([, specifier = '']) => relative(CORE, join(CORE, dirname(file), specifier)))
    .filter((imported) => floorOf(imported) > floorOf(file))
    .map((imported) => `${file} imports ${imported}`);
}

describe('floors of core', () => {
  it('[HOUSE15] hold every folder and file once', () => {
    expect(FLOORS.flat().toSorted()).toEqual([...new Set(FILES.map(roomOf))].toSorted());
  });

  it('[HOUSE15] import nothing from a higher floor', () => {
    const offences = FILES.flatMap((file) => upward(file, readFileSync(join(CORE, file), 'utf8')));
    expect(offences).toEqual([]);
  });

  it.each([
    `import type { Breaker } from '../breaker/breaker.ts';`,
    `import {\n  Breaker,\n} from '../breaker/breaker.ts';`,
    `export { Breaker } from '../breaker/breaker.ts';`,
    `type A = import('../breaker/breaker.ts').Breaker;`,
  ])('[HOUSE15] are broken by %s', (source) => {
    expect(upward('judge/judge.ts', source)).toEqual(['judge/judge.ts imports breaker/breaker.ts']);
  });
});
