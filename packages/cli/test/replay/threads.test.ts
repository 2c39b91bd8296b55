import { describe, expect, it } from 'vitest';
import { commandsTheSame, expectTheSame, IS_BUILT, largeFiles } from '../support/threads.ts';

describe.skipIf(!IS_BUILT)('threads (needs a build)', () => {
  const files = largeFiles();

  it('[CLI11] read one file beside each other, and give the same bytes as one thread', async () => {
    const { out, err, code } = await expectTheSame([files.large]);
    expect(code).toBe(1);
    expect(out.trim().split('\n').length).toBeGreaterThan(200);
    expect(err).toContain(`${files.large}:14: `);
    expect(err).toContain(`${files.large}:18: expected { id, turns`);
  });

  it('[TUNE5] tune with the same result as one thread', () =>
    commandsTheSame(files.folder, 'tune'));

  it('[CLI3] end with 2 for a model without a known price, as one thread does', async () => {
    const { code } = await expectTheSame([files.large, '--model', 'no such model']);
    expect(code).toBe(2);
  });
});
