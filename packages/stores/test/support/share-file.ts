import type { BudgetTotals } from '@teamfuse/core/kit';
import { expect } from 'vitest';
import { run, start } from './sqlite-node.ts';

export const HOUR = '3600000';

/** The books in a file. */
export async function totalsOf(file: string, ...args: readonly string[]): Promise<BudgetTotals> {
  return JSON.parse(await run('totals.ts', file, ...args));
}

/** Makes so many calls of 7 tokens at once on a budget in memory, and on one in a file: as many are made as fit. */
export async function callAtOnce(file: string, calls: number, fitting: number): Promise<void> {
  const results = JSON.parse(await run('many-at-once.ts', file, String(calls), String(fitting)));
  for (const { made, most, spent, reserved } of results) {
    expect({ made, most, spent: spent.tokens, reserved: reserved.tokens }).toEqual({
      made: fitting,
      most: 7 * fitting,
      spent: 7 * fitting,
      reserved: 0,
    });
  }
  expect(results).toHaveLength(2);
}

/** Has two processes spend a budget for so many calls of 7 tokens. */
export async function spendTogether(file: string, calls: number): Promise<void> {
  const tokens = 7 * calls;
  const both = [1, 2].map(() => start('spend.ts', file, `${tokens}`, '1000', HOUR));
  await Promise.all(both.map(({ ended }) => ended));
  expect(await totalsOf(file, HOUR)).toMatchObject({ spent: { tokens }, reserved: { tokens: 0 } });
}

/** Kills a process after so many of its calls, while another one makes four times as many. */
export async function killOne(file: string, calls: number): Promise<void> {
  const killed = start('spend.ts', file, '1000000', '1000000', HOUR);
  const other = start('spend.ts', file, '1000000', `${4 * calls}`, HOUR);
  await killed.printed(calls);
  await killed.kill();
  await other.ended;
  const { spent, reserved } = await totalsOf(file, HOUR);
  // At most the call that was under way is held: it may have ended, and waited for the other process to be booked.
  expect(spent.tokens % 7).toBe(0);
  expect(spent.tokens + reserved.tokens).toBeGreaterThanOrEqual(7 * 5 * calls);
  expect([0, 7]).toContain(reserved.tokens);
  const limit = spent.tokens + 7 * calls;
  await start('spend.ts', file, `${limit}`, '1000', HOUR).ended;
  const after = await totalsOf(file, HOUR);
  expect(after.spent.tokens + after.reserved.tokens).toBe(limit);
}
