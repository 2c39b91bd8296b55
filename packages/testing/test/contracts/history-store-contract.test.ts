import { MemoryHistoryStore, type RunRecord } from '@teamfuse/stores/history';
import { describe, expect, it } from 'vitest';
import { historyStoreContract } from '../../src/index.ts';

describe('MemoryHistoryStore', () => {
  for (const { id, title, check } of historyStoreContract(() => new MemoryHistoryStore())) {
    it(`[${id}] ${title}`, check);
  }
});

class Careless extends MemoryHistoryStore {
  override async append(record: RunRecord): Promise<void> {
    const before = this.latest(record.task, 1000);
    await Promise.resolve();
    super.clear(record.task);
    for (const one of [record, ...before].reverse()) super.append(one);
  }
}

class Thorough extends MemoryHistoryStore {
  override clear(): void {
    super.clear('a');
    super.clear('b');
  }
}

describe('a history that breaks the rules', () => {
  it.each([
    ['loses what comes at the same time', Careless, ['HST4']],
    ['clears all', Thorough, ['HST2']],
  ])('[CON8] fails: %s', async (_, Broken, rules) => {
    const failed: string[] = [];
    for (const { id, check } of historyStoreContract(() => new Broken())) {
      await check().catch(() => failed.push(id));
    }
    expect(failed).toEqual(rules);
  });
});
