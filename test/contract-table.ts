import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** What an adapter does about a rule: it keeps it, breaks it, or its framework lacks what the rule needs. */
type Mark = 'kept' | 'BROKEN' | 'n/a';

const RULE = /^\[(ADP\d+)\] (.+)$/;
const ADAPTER = /packages\/adapter-([^/]+)\//;

/** Prints which adapter keeps which rule of the contract, and why a rule does not apply. */
export class ContractTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = new Map<string, string>();
    const reasons = new Set<string>();
    const adapters = new Map<string, Map<string, Mark>>();
    for (const module of modules) {
      const adapter = ADAPTER.exec(module.moduleId)?.[1] ?? module.moduleId;
      const marks = adapters.get(adapter) ?? new Map<string, Mark>();
      adapters.set(adapter, marks);
      for (const error of module.errors()) console.error(`${adapter}: ${error.message}`);
      for (const test of module.children.allTests()) {
        const [, id, title] = RULE.exec(test.name) ?? [];
        if (id === undefined || title === undefined) continue;
        titles.set(id, title);
        const { mark, text } = markOf(test);
        if (marks.get(id) !== 'BROKEN') marks.set(id, mark);
        if (text !== undefined) reasons.add(`${id}, ${adapter}: ${text}`);
      }
    }
    const names = [...adapters.keys()].sort();
    const cells = (read: (name: string) => string): string =>
      names.map((name) => read(name).padEnd(name.length + 2)).join('');
    console.log(`${'rule'.padEnd(7)}${cells((name) => name)}a guard …`);
    for (const [id, title] of titles) {
      const marks = cells((name) => adapters.get(name)?.get(id) ?? 'missing');
      console.log(`${id.padEnd(7)}${marks}${title}`);
    }
    for (const reason of reasons) console.log(reason);
    for (const name of names) {
      const marks = [...(adapters.get(name)?.values() ?? [])];
      const count = (mark: Mark): number => marks.filter((each) => each === mark).length;
      console.log(`${name}: ${count('kept')} kept, ${count('BROKEN')} broken, ${count('n/a')} n/a`);
    }
  }
}

function markOf(test: TestCase): { readonly mark: Mark; readonly text?: string | undefined } {
  const result = test.result();
  switch (result.state) {
    case 'passed':
      return { mark: 'kept' };
    case 'skipped':
      return { mark: 'n/a', text: result.note };
    default:
      return { mark: 'BROKEN', text: result.errors?.[0]?.message };
  }
}
