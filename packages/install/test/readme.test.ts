import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as config from '@teamfuse/config';
import * as core from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import * as install from '../src/index.ts';
import { managerOf, speaker } from './support/teams.ts';

const BLOCK = /```ts\n(.*?)```/gs;
const IMPORT = /^import .*;$/gm;
const CLAIM = /^\s*(.+);\s*\/\/ => (.+)$/gm;
const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>;

/** The examples of the README and of all doc comments of a package. */
function examplesOf(name: string): readonly { readonly place: string; readonly code: string }[] {
  const root = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  const sources = readdirSync(`${root}src`).map((file) => `src/${file}`);
  return ['README.md', ...sources].flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    const shown = file === 'README.md' ? text : text.replace(/^ *\* ?/gm, '');
    return [...shown.matchAll(BLOCK)].map(([, code = '']) => ({ place: `${name}/${file}`, code }));
  });
}

describe('the examples', () => {
  it.each([...examplesOf('config'), ...examplesOf('install')])(
    '[ION15] of $place come out as they say',
    async ({ code }) => {
      let claims = 0;
      const check = (value: unknown, expected: unknown): void => {
        claims++;
        expect(value).toEqual(expected);
      };
      const [writer, critic] = [speaker('writer'), speaker('critic')];
      const manager = managerOf(writer, critic);
      const names = { ...core, ...config, ...install, writer, critic, manager, check };
      // A block of its own may use names that are taken outside.
      const checked = `{${code.replace(IMPORT, '').replace(CLAIM, 'check($1, $2);')}}`;
      await new AsyncFunction(...Object.keys(names), checked)(...Object.values(names));
      expect(claims).toBeGreaterThan(0);
    },
  );

  it('[ION15] of a teamfuse.toml are policies', () => {
    const readme = readFileSync(new URL('../../config/README.md', import.meta.url), 'utf8');
    const [, text = ''] = /```toml\n(.*?)```/s.exec(readme) ?? [];
    const { options, teams } = config.parsePolicy(text, 'README.md');
    expect(options.budget?.agents).toEqual({ critic: { maxUsd: 0.5 } });
    expect(Object.keys(teams)).toEqual(['research']);
  });
});
