import { describe, expect, test } from 'vitest';
import { eventData } from '../../src/calls/server-events.ts';

/** The data of the events in these pieces of a body. */
async function dataOf(...pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const bytes = pieces.map((one) => (typeof one === 'string' ? encoder.encode(one) : one));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const one of bytes) controller.enqueue(one);
      controller.close();
    },
  });
  const data: string[] = [];
  for await (const one of eventData(body)) data.push(one);
  return data;
}

describe('server-sent events', () => {
  test.each(['\n', '\r\n', '\r'])(
    '[MER11] are the same wherever they are cut, with lines that end in %j',
    async (end) => {
      const lines = [
        'data: {"é": 1}',
        '',
        ': a comment',
        'event: x',
        'data:two',
        'data: lines',
        '',
        'data',
      ];
      const bytes = new TextEncoder().encode(lines.join(end) + end);
      for (let first = 0; first <= bytes.length; first++) {
        for (let second = first; second <= bytes.length; second += 3) {
          const pieces = [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)];
          expect(await dataOf(...pieces)).toEqual(['{"é": 1}', 'two\nlines']);
        }
      }
    },
  );

  test('[MER11] without the empty line that ends them are none', async () => {
    expect(await dataOf('data: whole\n\ndata: half')).toEqual(['whole']);
  });

  const large = 'a'.repeat(1_000_000);

  test('[MER11] have up to four million characters', async () => {
    const [data = ''] = await dataOf('data: ', large, large, large, large, '\n\n');
    expect(data).toHaveLength(4_000_000);
  });

  test.each([
    ['in one line', ['data: ', large, large, large, large, large]],
    ['in many lines', Array.from({ length: 5 }, () => `data: ${large}\n`)],
    ['in a line that is no data', [large, large, large, large, large]],
  ])('[MER11] break off above, %s', async (_, pieces) => {
    await expect(dataOf(...pieces)).rejects.toMatchObject({
      code: 'BAD_RESPONSE',
      message: expect.stringContaining('an event of more than 4194304 characters'),
    });
  });

  test('[MER11] are any number, as each is read by itself', async () => {
    const pieces = Array.from({ length: 9 }, () => `data: ${large}\n\n`);
    expect(await dataOf(...pieces)).toHaveLength(9);
  });
});
