import { MinimalReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** What a title says of where its test cannot run: `(needs redis-server)`. */
const NEEDS = /\((?:needs|skipped without|skipped where there is no|skipped where) ?([^)]+)\)/;
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
    const skipped = new Map<string, number>();
    for (const test of modules.flatMap(({ children }) => [...children.allTests('skipped')])) {
      const need = NEEDS.exec(test.fullName)?.[1] ?? 'what their framework or language lacks';
      skipped.set(need, (skipped.get(need) ?? 0) + 1);
    }
    for (const [need, count] of skipped) this.log(`skipped: ${count} tests that need ${need}`);
    const hasSlow = this.ctx.projects.some(({ name }) => name === 'slow');
    if (!hasSlow)
      this.log(
        'left out: full size, servers, browsers, many processes. `npm run test:all` tries them, too',
      );
  }
}
