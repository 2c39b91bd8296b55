import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSignal, readJson, toJson } from '../src/index.ts';

describe('toJson', () => {
  it('[JSN1] keeps all that JSON can hold, also beside what it cannot', () => {
    const answer: Record<string, unknown> = { status: 200, total: 10n, rows: [{ id: 1 }] };
    answer.request = { response: answer };
    expect(toJson(answer)).toEqual({
      status: 200,
      total: '10',
      rows: [{ id: 1 }],
      request: { response: '[circular]' },
    });
  });

  it('[JSN1] takes the same object twice for no circle', () => {
    const row = { id: 1 };
    expect(toJson([row, row, 1n])).toEqual([row, row, '1']);
  });

  it('[JSN2] writes what is too deep for a signal as its text', () => {
    let deep: unknown = 'bottom';
    for (let i = 0; i < 300; i++) deep = [deep];
    expect(toJson(deep)).toBe(JSON.stringify(deep));
  });

  it('[JSN2] gives something that a signal can carry, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        const call = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: toJson(value) };
        expect(() => parseSignal({ ...call, result: null })).not.toThrow();
      }),
    );
  });
});

describe('readJson', () => {
  it('[JSN3] reads the JSON that a text holds', () => {
    expect(readJson('{"rows":[{"id":1}],"next":null}')).toEqual({ rows: [{ id: 1 }], next: null });
  });

  it.each(['no JSON', '', '{"half":', '[1e999]', '['.repeat(300) + ']'.repeat(300)])(
    '[JSN3] keeps as text what no signal can carry as JSON: %j',
    (text) => {
      expect(readJson(text)).toBe(text);
    },
  );
});
