import { budgetStoreContract, historyStoreContract } from '@teamfuse/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { run, SQLITE_NODE } from '../support/sqlite-node.ts';

const never = (): never => {
  throw new Error('the checks run in a process of their own');
};

describe.skipIf(SQLITE_NODE === undefined)('the SQLite stores', () => {
  let problems: Record<string, string> = {};
  beforeAll(async () => {
    problems = JSON.parse(await run('run-contracts.ts'));
  });

  for (const { id, title } of [...budgetStoreContract(never), ...historyStoreContract(never)]) {
    it(`[${id}] ${title}`, () => {
      expect(problems[id]).toBe('');
    });
  }
});
