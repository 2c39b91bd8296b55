import { describe, expect, it } from 'vitest';
import { failing } from './shared-budget.ts';

/** Tests that gateways with these addresses do not start, and what they say. */
export function testAddresses(addresses: readonly (readonly [string, RegExp])[]): void {
  describe('a gateway with a wrong address', () => {
    it.each(addresses)(
      '[GWC14] does not start, says why in one line, and shows no password: %s',
      async (address, said) => {
        const told = await failing(['--store', address]);
        expect(told).toMatch(said);
        expect(told).toMatch(/^teamfuse: option '--store': .*\n$/);
        expect(told).not.toContain('hush');
      },
    );
  });
}
