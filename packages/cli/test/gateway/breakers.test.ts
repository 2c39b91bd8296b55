import { tmpdir } from 'node:os';
import { internalsOf } from '@teamfuse/core/kit';
import { recordTo } from '@teamfuse/recorder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { breakersOf } from '../../src/gateway/breakers.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the breakers of a gateway', () => {
  test('[GWC40] say on one line that an answer of the judge cannot be used', async () => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => lines.push(line));
    const breaker = (await breakersOf(undefined, { judge: true })).get('');
    if (breaker === undefined) throw new Error('there is no breaker');
    internalsOf(breaker).judges.lend(() => {
      throw new Error("the judge's answer:\u001b[31m garbage");
    });
    for (let i = 0; i < 6; i++) {
      breaker.observe({ kind: 'message', agent: 'ann', text: `Thank you so much, ${i}.` });
    }
    expect(lines).toContain("judge: the judge's answer: garbage");
  });

  test('[GWC44] say on one line that nothing can be recorded', async () => {
    const lines: unknown[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => lines.push(line));
    const breaker = (await breakersOf(undefined, {})).get('');
    if (breaker === undefined) throw new Error('there is no breaker');
    recordTo(breaker, tmpdir());
    for (const text of ['Good day.', 'What can I do?']) {
      breaker.observe({ kind: 'message', agent: 'ann', text });
    }
    expect(lines).toEqual([expect.stringMatching(/^recording: cannot record to .*directory/)]);
  });
});
