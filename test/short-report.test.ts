import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDERS } from './package-folders.ts';
import { skippedLines } from './short-report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('the short report', () => {
  it('[HOUSE18] counts skipped tests by what their titles say that they need', () => {
    const titles = [
      'completes in zsh (needs zsh)',
      'a fleet (needs redis-server, and a Node that runs TypeScript) > [RDS1] spends no more',
      'completes in zsh (needs zsh) again',
      'a port without streams',
    ];
    expect(skippedLines(titles)).toEqual([
      'skipped: 2 tests that need zsh',
      'skipped: 1 test that needs redis-server, and a Node that runs TypeScript',
      'skipped: 1 test that needs what their framework or language lacks',
    ]);
  });

  it('[HOUSE18] finds every title that says so in the words it reads', () => {
    const tests = [...PACKAGE_FOLDERS.values()]
      .map((folder) => join(ROOT, folder, 'test'))
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
          join(folder, file),
        ),
      )
      .filter((file) => file.endsWith('.ts'));
    const worded = tests.filter((file) => /\((?:skipped|skips) /.test(readFileSync(file, 'utf8')));
    expect(tests.length).toBeGreaterThan(500);
    expect(worded).toEqual([]);
  });
});
