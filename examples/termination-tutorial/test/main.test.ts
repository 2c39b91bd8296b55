import { expect, test, vi } from 'vitest';

test('[COND0] every team of the tutorial stops for the reason it should', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import('../main.js');
    expect(log.mock.lastCall).toEqual(['stopped as expected: 5 of 5']);
    expect(process.exitCode).toBe(0);
  } finally {
    log.mockRestore();
    process.exitCode = undefined;
  }
});
