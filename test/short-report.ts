import { MinimalReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** What a title says that its test needs: `(needs redis-server)`. */
const NEEDS = /\(needs ([^)]+)\)/;
/** So often it is said how far the run has come. */
const PARTS = 4;

/** A run in a few lines: how far it is, what failed, what was left out and why. */
export class ShortReport extends MinimalReporter {
  #left = 0;
  #of = 0;
  #tests = 0;

  override onTestRunStart(files: readonly TestSpecification[]): void {
    super.onTestRunStart(files);
    this.#of = files.length;
    this.#left = files.length;
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const done = (): number => Math.floor((PARTS * (this.#of - this.#left)) / this.#of);
    const before = done();
    this.#left--;
    this.#tests += [...module.children.allTests()].length;
    if (done() > before && this.#left > 0)
      this.log(`${this.#tests} tests, ${this.#left} files to go`);
  }

  override onTestRunEnd(...run: Parameters<MinimalReporter['onTestRunEnd']>): void {
    super.onTestRunEnd(...run);
    const [modules] = run;
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    for (const line of skippedLines(skipped.map(({ fullName }) => fullName))) this.log(line);
    const hasSlow = this.ctx.projects.some(({ name }) => name === 'slow');
    if (!hasSlow)
      this.log(
        'left out: full size, servers, browsers, many processes. `npm run test:all` tries them, too',
      );
  }
}

/** How many tests were skipped for which need, by their full titles. */
export function skippedLines(titles: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const need = NEEDS.exec(title)?.[1] ?? 'what their framework or language lacks';
    counts.set(need, (counts.get(need) ?? 0) + 1);
  }
  return [...counts].map(([need, count]) =>
    count === 1
      ? `skipped: 1 test that needs ${need}`
      : `skipped: ${count} tests that need ${need}`,
  );
}
