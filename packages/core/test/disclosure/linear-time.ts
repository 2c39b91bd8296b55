import { cpuUsage } from 'node:process';
import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/index.ts';

/** The processor time that `work` takes, in milliseconds: what else the machine does is not counted. */
function cpuMs(work: () => unknown): number {
  const start = cpuUsage();
  work();
  const { user, system } = cpuUsage(start);
  return (user + system) / 1_000;
}

/** Parts of which long texts are made that a slow expression would take for ever over. */
const PARTS: readonly string[] = [
  ...['a', 'A', '1', ' ', '\\', '"', ':', '-', '@', '/'],
  ...[
    'sk-',
    'sk-a',
    'eyJ',
    'eyJ.',
    '://',
    '://a:',
    'password',
    'password=',
    'password="',
    'Bearer ',
  ],
  ...[
    'Bearer a',
    '-----BEGIN PRIVATE KEY-----',
    '-----END A',
    '-----BEGIN A',
    'cookie:a=',
    'password a',
  ],
  ...[
    'authorization: ',
    'token=',
    '\\\\\\"',
    'password:\\',
    'ghp_a',
    'SG.a',
    'sk-a1',
    'sk-1.',
    'npm_1…a',
    'password=\'"',
    'token="\\\\\\',
    'token="a\\"',
  ],
  ...[
    'hook/',
    '://hook/',
    '://a1@',
    '?key=',
    '?sig=1',
    'mysql -p',
    ' -u a:',
    'pin is ',
    '4111 ',
    '$2b$',
  ],
  ...['--password ', "password','1", 'password>', 'private_key: |\n ', 'pass:a1', 'AAAA', '1:AA'],
];
const QUOTED: readonly string[] = ['a', "'", '\\"', "\\'", '\\a'];

/** Measures texts of a megabyte of every so many-th part. */
export function testLinearTime(every: number): void {
  const some = (parts: readonly string[]): readonly string[] =>
    parts.filter((_, at) => at % every === 0);

  it.each(some(PARTS))('[RED3] takes linear time on a megabyte of %j', (part) => {
    const time = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length));
      return cpuMs(() => redactSecrets(text));
    };
    time(10_000);
    expect(time(1_000_000)).toBeLessThan(3_000);
  });

  it.each(some(QUOTED))(
    '[RED3] takes a quoted value of a megabyte of %j, in linear time',
    (part) => {
      for (const name of ['password', 'token']) {
        const text = `${name}="${part.repeat(1_000_000 / part.length)}`;
        const ms = cpuMs(() =>
          expect(redactSecrets(text).slice(0, 20)).toBe(`${name}="[redacted]`.slice(0, 20)),
        );
        expect(ms).toBeLessThan(3_000);
      }
    },
  );
}
