import { describe, expect, test } from 'vitest';
import { measured, testServers } from '../support/busy-servers.ts';

// Sharing the processor with other programs costs time that is not this one's.
describe('a server that would keep the process busy', { retry: 3 }, () => {
  testServers([
    ['floods with events', true, ['BAD_RESPONSE', 'TIMEOUT']],
    ['sends an error without end', false, ['BAD_REQUEST', 'TIMEOUT']],
  ]);

  test('[MER11] would be noticed', async () => {
    expect((await measured()).p99).toBeGreaterThan(50);
  });
});
