import { once } from 'node:events';
import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { type GuardActivity, showWarning } from '../../src/index.ts';

async function shown(
  error: unknown,
  during: GuardActivity = 'observe',
  breaker?: Breaker,
): Promise<string> {
  const warned = once(process, 'warning') as Promise<[Error]>;
  showWarning({ during, error }, breaker);
  const [{ name, message }] = await warned;
  expect(name).toBe('TeamfuseWarning');
  return message;
}

describe('a problem of a guard', () => {
  it.each<[GuardActivity, string]>([
    ['observe', 'The guard failed to observe. Error: no luck'],
    ['admit', 'The guard failed to admit. Error: no luck'],
    ['warn', 'The guard failed to warn. Error: no luck'],
    ['breaker', 'The run goes on after an error. Error: no luck'],
  ])('[KIT47] in %s is shown as %j', async (during, text) => {
    expect(await shown(new Error('no luck'), during)).toBe(text);
  });

  it('[KIT47] is one line, of 500 characters at most', async () => {
    const prefix = 'The guard failed to observe. ';
    expect(await shown('a\n\tb\u0000\u0007c\u200Bd')).toBe(`${prefix}a b cd`);
    expect(await shown('word '.repeat(500))).toHaveLength(prefix.length + 500);
  });

  it('[KIT47] has no secret', async () => {
    expect(await shown(new Error('{"password":"hunter2"}'))).not.toContain('hunter2');
  });

  it.each<[BreakerOptions, string]>([
    [{}, 'TypeError: Kestrel is [redacted]'],
    [{ redact: (text) => text.replaceAll('Kestrel', '…') }, 'TypeError: … is [redacted]'],
    [{ excerpts: false }, 'TypeError: message withheld'],
    [{ redact: () => fails() }, '[not shown: redact failed]: [not shown: redact failed]'],
  ])('[KIT96] says of an error what its breaker may quote: %j', async (options, text) => {
    const error = new TypeError(`Kestrel is sk-proj-${'0a1b2c3d4e5f6g7h'}`);
    const message = await shown(error, 'observe', new Breaker(options));
    expect(message).toBe(`The guard failed to observe. ${text}`);
  });

  it('[KIT47] is shown though it cannot be read', async () => {
    const unreadable = { toString: () => ({}) };
    expect(await shown(unreadable)).toBe(
      'The guard failed to observe. an error that cannot be read',
    );
  });
});

function fails(): never {
  throw new Error('no');
}
