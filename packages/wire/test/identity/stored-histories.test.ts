import { Breaker } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../../src/index.ts';

const CALLS = 12;

type Entry = Readonly<Record<string, unknown>>;

/** What a model calls, and what comes of it, as Responses says it. */
const FORMS: Readonly<Record<string, (id: string, n: number) => readonly [Entry, Entry]>> = {
  function_call: (call_id, n) => [
    { type: 'function_call', call_id, name: 'search', arguments: '{"q":"tides"}' },
    { type: 'function_call_output', call_id, output: `hit ${wordOf(n)}` },
  ],
  shell_call: (call_id, n) => [
    { type: 'shell_call', call_id, action: { commands: ['ls /data'] } },
    {
      type: 'shell_call_output',
      call_id,
      output: [{ stdout: wordOf(n), stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  apply_patch_call: (call_id, n) => [
    { type: 'apply_patch_call', call_id, operation: { type: 'update_file', path: 'a.ts' } },
    { type: 'apply_patch_call_output', call_id, status: 'completed', output: wordOf(n) },
  ],
};

describe.each(Object.entries(FORMS))('a conversation that the server keeps, with %s', (_, step) => {
  test.each(['as text', 'as an object'])('[WIRE76] is stopped in a loop, named %s', async (how) => {
    expect(await play(step, () => 0, how === 'as text' ? 'conv_1' : { id: 'conv_1' })).toBe(3);
  });

  test('[WIRE76] goes on while results are new', async () => {
    expect(await play(step, (n) => n, 'conv_1')).toBe(CALLS);
  });
});

test('[WIRE76] two conversations that the server keeps are two, also with the same words', async () => {
  const breaker = new Breaker({ maxModelCalls: 1 });
  const fetch = guardFetch(breaker, {
    fetch: async () => Response.json({ id: 'resp_1', status: 'completed', output: [], usage: {} }),
  });
  for (const conversation of ['conv_1', 'conv_2']) {
    const body = JSON.stringify({ model: 'gpt-4o', conversation, input: 'Go on.' });
    const { status } = await fetch('https://a/v1/responses', { method: 'POST', body });
    expect(status).toBe(200);
  }
});

/** How many calls pass. */
async function play(
  step: (id: string, n: number) => readonly [Entry, Entry],
  found: (n: number) => number,
  conversation: unknown,
): Promise<number> {
  let n = 0;
  let at = 0;
  const breaker = new Breaker({ now: () => (at += 3_000) });
  const fetch = guardFetch(breaker, {
    fetch: async () =>
      Response.json({
        id: `resp_${n}`,
        status: 'completed',
        output: [step(`c${n}`, n)[0]],
        usage: {},
      }),
  });
  let input: readonly Entry[] = [{ role: 'user', content: 'When is high tide?' }];
  for (; n < CALLS; n++) {
    const body = JSON.stringify({ model: 'gpt-4o', conversation, input });
    const response = await fetch('https://a/v1/responses', { method: 'POST', body });
    if (response.status !== 200) return n;
    input = [step(`c${n}`, found(n))[1]];
  }
  return CALLS;
}

const WORDS = ['moon', 'pilot', 'chart', 'anchor', 'keel', 'buoy', 'rope', 'sail', 'deck', 'mast'];

function wordOf(n: number): string {
  return `${WORDS[n % WORDS.length]} and ${WORDS[(n * 7 + 3) % WORDS.length]} of ${WORDS[(n >> 1) % 5]}`;
}
