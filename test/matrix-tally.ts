import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** The innermost package that a file belongs to. */
const PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** What came of the tests, and which versions of packages they loaded, as `tally.json` in the root. */
export class MatrixTally implements Reporter {
  #root = '';
  #tests = /^/;

  onInit({ config }: Vitest): void {
    this.#root = config.root;
    this.#tests = config.testNamePattern ?? this.#tests;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const errors = unhandled.map(({ message }) => message);
    const loaded: Record<string, string> = {};
    for (const module of modules) {
      errors.push(...module.errors().map(({ message }) => message));
      Object.assign(loaded, versionsIn(module));
      for (const test of module.children.allTests()) {
        // Those of another framework are not skipped for want of anything.
        if (!this.#tests.test(test.fullName)) continue;
        const { state, errors: own = [] } = test.result();
        if (state !== 'pending') count[state]++;
        if (state === 'failed') errors.push(`${test.fullName}: ${own[0]?.message}`);
      }
    }
    writeFileSync(join(this.#root, 'tally.json'), JSON.stringify({ ...count, errors, loaded }));
  }
}

/** The version of each package that the tests and our sources import, by the name that it is installed under. */
function versionsIn(module: TestModule): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const file of Object.keys(module.diagnostic().importDurations)) {
    const [folder, name] = PACKAGE.exec(file.replace(/^file:\/\//, '')) ?? [];
    if (folder === undefined || name === undefined) continue;
    versions[name] ??= JSON.parse(readFileSync(`${folder}package.json`, 'utf8')).version;
  }
  return versions;
}
