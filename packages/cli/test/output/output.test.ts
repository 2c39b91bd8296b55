import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usdText } from '../../src/output/amounts.ts';
import { cleanForTerminal, toJsonLine } from '../../src/output/clean.ts';

const SECRETS = [
  ['sk-', 'proj-abcdef0123456789ABCDEF'],
  ['sk-ant-', 'api03-0123456789abcdef_-xyz'],
  ['AKIA', 'IOSFODNN7EXAMPLE'],
  ['ghp_', '0123456789abcdefABCDEF0123456789abcd'],
  ['AIza', 'SyA0123456789abcdefghijklmnopqrstu'],
  ['xoxb-', '123456789012-abcdef'],
  ['Bearer ', 'abc.def-ghi_0123'],
  ['password=', 'hunter2'],
  ['"api_key": "', 'q8w7e6r5"'],
  ['postgres://app:', 'hunter2@db/orders'],
  ['-----BEGIN RSA PRIVATE KEY-----\n', 'MIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'],
] as const;

describe('secrets', () => {
  it.each(SECRETS)('[SHOW1] hides what follows %s', (before, secret) => {
    const text = cleanForTerminal(`before ${before}${secret} after`);
    const hidden = secret.split(/[@\n"]/)[0] as string;
    expect(text).not.toContain(hidden);
    expect(text).toContain('[redacted]');
  });
});

describe('money', () => {
  it.each([
    [0, '$0.0000'],
    [0.0004, '$0.0004'],
    [0.00003719, '$0.000037'],
    [0.000000001, '$0.000000001'],
    [0.02, '$0.0200'],
    [12.345, '$12.35'],
  ])('[SHOW7] has digits that show it: %s', (usd, shown) => {
    expect(usdText(usd)).toBe(shown);
  });
});

describe('text for a terminal', () => {
  it('[SHOW3] has no control, no escape sequence and nothing that turns the direction of writing', () => {
    const text = 'a\u001b[31mred\u001b[0m \u001b]0;title\u0007b\u202Ec\u200B\u009bd\r\ne\u0000';
    expect(cleanForTerminal(text)).toBe('ared bcd e');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        expect(cleanForTerminal(any)).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}/u);
      }),
    );
  });

  it('[SHOW4] as JSON is written with escapes, and reads back the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const line = toJsonLine({ any });
        expect(line).not.toMatch(/\p{Cc}|\p{Cf}/u);
        expect(JSON.parse(line)).toEqual({ any });
      }),
      // A character of two units.
      { examples: [['\u{E0020}']] },
    );
  });
});
