import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ASKED, poem, ServedGateway } from './support/served-gateway.ts';

const MB = 2 ** 20;
const SIZE = 63 * MB;
const repeated = (piece: string, size = SIZE): string => piece.repeat(size / piece.length);
const pairs = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `{"role":"assistant","content":"Draft ${i}"},{"role":"system","content":"Once more"},`,
  ).join('');
const HEAD = '{"model":"gpt-4o","messages":[';
const HI = '{"role":"user","content":"hi"}';

/** Requests that are small as they are sent, and large when they are unpacked. */
const LARGE: readonly (readonly [what: string, body: string, status: number])[] = [
  ['100,000 pairs of assistant and system', `${HEAD}${pairs(100_000)}${HI}]}`, 400],
  ['20,000 pairs of assistant and system', `${HEAD}${pairs(20_000)}${HI}]}`, 200],
  ['empty messages', `${HEAD}${repeated('{},')}{}]}`, 400],
  ['short messages', `${HEAD}${repeated(`${HI},`)}${HI}]}`, 400],
  ['parts', `${HEAD}{"role":"user","content":[${repeated('"",')}""]}]}`, 400],
  ['calls', `${HEAD}${HI},{"role":"assistant","tool_calls":[${repeated('{},')}{}]}]}`, 400],
  ['depth', `${HEAD}${repeated('[', SIZE / 2)}${repeated(']', SIZE / 2)}]}`, 400],
  ['text', `${HEAD}{"role":"user","content":"${repeated('ab ')}"}]}`, 200],
  ['JSON in a text', `${HEAD}${withCall(repeated('{},', SIZE / 4))}]}`, 200],
  ['more than 64 MB', `${HEAD}${' '.repeat(65 * MB)}${HI}]}`, 400],
];

describe('a small request that is large unpacked', () => {
  test.each(LARGE)(
    '[GWY30] with %s is answered, and others meanwhile',
    async (_, body, status) => {
      await using gateway = await ServedGateway.start((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(200, { 'content-type': 'application/json' }).end(poem());
        });
      });
      const sent = gateway.ask(gzipSync(body), { headers: { 'content-encoding': 'gzip' } });
      const [{ response, text }, other] = await Promise.all([sent, gateway.ask(ASKED)]);
      expect([response.statusCode, other.response.statusCode], text).toEqual([status, 200]);
      expect(gateway.errors).toEqual([]);
      expect(gateway.usages).toHaveLength(status === 200 ? 2 : 1);
    },
    60_000,
  );
});

function withCall(list: string): string {
  const text = `[${list}{}]`;
  const call = { id: 'c1', type: 'function', function: { name: 'search', arguments: text } };
  const answer = { role: 'assistant', content: null, tool_calls: [call] };
  return `${HI},${JSON.stringify(answer)},{"role":"tool","tool_call_id":"c1","content":"none"}`;
}
