import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/watch/listen.ts';

describe('an address to listen on', () => {
  it('[GWC45] that is none of this machine is no matter of its port', async () => {
    const elsewhere = { port: 0, host: '203.0.113.7' };
    const options = { port: '--port', host: '--host' };
    await expect(listen(createServer(), elsewhere, options)).rejects.toThrow(
      `option '--host': expected an address of this machine (EADDRNOTAVAIL), received "203.0.113.7"`,
    );
  });
});
