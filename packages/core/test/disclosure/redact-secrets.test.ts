import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/index.ts';
import { redactJson } from '../../src/kit.ts';
import { testLinearTime } from './linear-time.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const tail = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';
const SECRETS: readonly string[] = [
  `sk-proj-${tail}`,
  `sk-ant-api03-${tail}`,
  `sk-or-v1-${tail}`,
  `sk_live_${tail}`,
  `AIza${tail}`,
  `AKIA${'ABCD1234EFGH5678'}`,
  `ghp_${tail}`,
  `github_pat_${tail}`,
  `glpat-${tail}`,
  `xoxb-${tail}`,
  `hf_${tail}`,
  `gsk_${tail}`,
  `xai-${tail}`,
  `pplx-${tail}`,
  `npm_${tail}`,
  `eyJ${tail}.${tail}.${tail}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${tail}\n${tail}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${tail}\ncut off`,
];

describe('redactSecrets', () => {
  it.each(SECRETS)('[RED1] finds keys by their form: %s', (secret) => {
    expect(redactSecrets(`It is ${secret}`)).toBe('It is [redacted]');
    expect(redactSecrets(`{"key":"${secret}`)).toBe('{"key":"[redacted]');
  });

  it.each([
    ['Authorization: Bearer abc.def-123456', 'Authorization: [redacted]'],
    ['sent Bearer abcdef123456==, refused', 'sent Bearer [redacted], refused'],
    ['Basic dXNlcjpwYXNz1234==', 'Basic [redacted]'],
    ['https://bob:hunter2@host/x?a=1', 'https://bob:[redacted]@host/x?a=1'],
    ['redis://:hunter2@host', 'redis://:[redacted]@host'],
    ['DB_PASSWORD=hunter2 run', 'DB_PASSWORD=[redacted] run'],
    ['{"password":"hunter 2","a":1}', '{"password":"[redacted]","a":1}'],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', '{\\"password\\":\\"[redacted]\\",\\"a\\":1}'],
    [`{"password":"it's-hunter2!!","a":1}`, '{"password":"[redacted]","a":1}'],
    [`{"password":"ab\\"cd-hunter2","a":1}`, '{"password":"[redacted]","a":1}'],
    [`{"password":"hunter2\\\\","a":1}`, '{"password":"[redacted]\\\\","a":1}'],
    [
      `{\\"password\\":\\"it's\\\\\\"hunter2\\",\\"a\\":1}`,
      '{\\"password\\":\\"[redacted]\\",\\"a\\":1}',
    ],
    [`password='say "hunter2"', a`, "password='[redacted]', a"],
    [`{"token":"it's-a-\\"hunter2","a":1}`, '{"token":"[redacted]","a":1}'],
    [`{"password":"it's-hunt`, '{"password":"[redacted]'],
    ["{ 'client_secret': 'x y', b: 2 }", "{ 'client_secret': '[redacted]', b: 2 }"],
    ['X-Api-Key: 0123abc', 'X-Api-Key: [redacted]'],
    ['?access_token=abc&page=2', '?access_token=[redacted]&page=2'],
    ['token=abcdef123456', 'token=[redacted]'],
    ['Set-Cookie: sid=abc; Path=/', 'Set-Cookie: [redacted]'],
    ['user bob with password hunter2 refused', 'user bob with password [redacted] refused'],
  ])('[RED1] finds what the name beside it tells: %s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  it.each([
    'We use a sk-learn-compatible-estimator and the task-oriented-planner-2.',
    'SyntaxError: Unexpected token: }',
    'The bearer of this letter has a basic understanding of tokens.',
    'Forgot your password? The secret of success is work.',
    'https://example.org:8080/a?b=c mailto:bob@example.org',
    'It was made with sk-learn',
    'See npm_config…',
    'The total is 42 euros, see f81d4fae-7dec-11d0-a765-00a0c91e6bf6.',
    '',
  ])('[RED2] leaves what is no secret as it is: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it.each([
    ['the key is sk-proj-ab12…', 'the key is [redacted]…'],
    ['the key is sk-proj-ab12...', 'the key is [redacted]...'],
    ['the key is ghp_01234', 'the key is [redacted]'],
  ])('[RED1] finds what is left of a key that was cut short: %s', (text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  it('[RED1] hides texts in fields of a JSON value with the name of a secret, and finds others in its texts and names', () => {
    const key = `ghp_${tail}`;
    expect(redactJson({ a: [{ password: 'x', user: 'y' }], [key]: 1, b: [null, key] })).toEqual({
      a: [{ password: '[redacted]', user: 'y' }],
      '[redacted]': 1,
      b: [null, '[redacted]'],
    });
  });

  it('[RED1] finds them among whatever else is written', () => {
    const other = fc.constantFrom(
      'password',
      '=',
      ':',
      '"',
      '\\',
      'Bearer',
      '://',
      '@',
      'sk-',
      'a1',
    );
    const others = fc.array(other, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), others, others, (secret, before, after) => {
        const redacted = redactSecrets(`${before} ${secret} ${after}`);
        expect(redacted).not.toContain(secret);
        expect(redacted).not.toContain(tail);
      }),
    );
  });

  testLinearTime(5);
});
