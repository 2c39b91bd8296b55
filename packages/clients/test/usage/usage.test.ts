import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REPORTS } from './reports.ts';
import { rowOf } from './table.ts';

const GUIDE = new URL('../../../../docs/guides/usage.md', import.meta.url);

test('[SDK9] the guide says of each field that an API reports what it is booked as', async () => {
  const rows = Object.entries(REPORTS).map(([api, report]) => rowOf(api, report));
  const table = ['| API | What its fields are booked as |', '|---|---|', ...rows].join('\n');
  expect(await readFile(GUIDE, 'utf8')).toContain(table);
});
