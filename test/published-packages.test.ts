import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDERS } from './package-folders.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const URL_OF_REPOSITORY = 'https://github.com/teamfuse/teamfuse';
/** A link of a document to a file beside it, and one to a file of the repository. */
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g;
const FULL_LINK = /https:\/\/github\.com\/teamfuse\/teamfuse\/(?:blob|tree)\/main\/([^)#\s"]+)/g;

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly files: readonly string[];
  readonly keywords: readonly string[];
}

const published = [...PACKAGE_FOLDERS]
  .map(([name, folder]) => ({
    name,
    folder,
    manifest: JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);

describe('published packages', () => {
  it.each(published)(
    '[HOUSE9] $name say where they come from and what they are for',
    ({ name, folder, manifest }) => {
      expect(manifest).toMatchObject({
        name: `@teamfuse/${name}`,
        license: 'MIT',
        description: expect.stringMatching(/^[A-Z].*[^.]$/),
        homepage: `${URL_OF_REPOSITORY}/tree/main/${folder}#readme`,
        bugs: `${URL_OF_REPOSITORY}/issues`,
        repository: {
          type: 'git',
          url: `git+${URL_OF_REPOSITORY}.git`,
          directory: folder,
        },
        engines: { node: '>=20.19' },
        publishConfig: { access: 'public', provenance: true },
      });
      expect(manifest.keywords.length).toBeGreaterThan(1);
      expect(existsSync(join(ROOT, folder, 'README.md'))).toBe(true);
    },
  );

  it.each(published)(
    '[HOUSE10] $name contain every file that their documents link to',
    ({ folder, manifest }) => {
      const own = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
      const packed = ['README.md', 'LICENSE', ...manifest.files];
      const offences = own
        .filter((name) => packed.includes(name))
        .flatMap((name) =>
          [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(LINK)]
            .map(([, target = '']) => target)
            .filter(
              (target) => !packed.some((file) => target === file || target.startsWith(`${file}/`)),
            )
            .map((target) => `${name} links to ${target}`),
        );
      expect(offences).toEqual([]);
    },
  );

  it.each(published)('[HOUSE11] $name link to files of the repository that exist', ({ folder }) => {
    const missing = readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(FULL_LINK)])
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  it('[HOUSE14] offer at most 40 names at the root of core', () => {
    const index = readFileSync(join(ROOT, 'packages/core/src/index.ts'), 'utf8');
    const lists = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
    const names = lists.flatMap(([, list = '']) => list.split(',').filter((name) => name.trim()));
    expect(names.length).toBeGreaterThan(20);
    expect(names.length).toBeLessThanOrEqual(40);
    expect(index).not.toMatch(/export \*/);
  });
});
