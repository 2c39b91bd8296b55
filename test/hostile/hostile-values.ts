/** A value that no API expects, with a name for failing tests. */
export type Hostile = readonly [name: string, value: unknown];

/** Values that break code which trusts what it is given. Made anew each time, since calls may change them. */
export function hostileValues(): readonly Hostile[] {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const revokedFunction = Proxy.revocable(() => {}, {});
  revokedFunction.revoke();
  return [
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['false', false],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['-infinity', Number.NEGATIVE_INFINITY],
    ['1e308', 1e308],
    ['-1e308', -1e308],
    ['-1', -1],
    ['-0', -0],
    ['0.5', 0.5],
    ['2^53', 2 ** 53],
    ['big integer', 10n],
    ['empty text', ''],
    ['text', 'text'],
    ['text of digits', '3'],
    ['megabyte', 'x'.repeat(1_000_000)],
    ['half a character', '\ud83e'],
    ['control characters', '\u0000\u001b[31m\u202e\u2028\r\n'],
    ['__proto__', '__proto__'],
    ['symbol', Symbol('hostile')],
    ['function', () => undefined],
    ['function that throws', fails],
    ['async function that rejects', async () => fails()],
    ['class', class Hostile {}],
    ['date', new Date(0)],
    ['invalid date', new Date(Number.NaN)],
    ['map', new Map([['a', 1]])],
    ['set', new Set([1])],
    ['regular expression', /a+/],
    ['error', new Error('hostile')],
    ['typed array', new Float64Array(3)],
    ['empty object', {}],
    ['object without prototype', Object.create(null)],
    ['unknown fields', { hostile: true }],
    ['its own __proto__', JSON.parse('{"__proto__":{"kind":"message"},"constructor":1}')],
    ['getters that throw', throwing()],
    ['toJSON that throws', { toJSON: fails, toString: fails, valueOf: fails }],
    ['cycle', cyclic],
    ['revoked proxy', proxy],
    ['revoked function', revokedFunction.proxy],
    ['proxy that throws', new Proxy({}, traps())],
    ['frozen', Object.freeze({ a: 1 })],
    ['promise', Promise.resolve(1)],
    ['empty array', []],
    ['array with holes', new Array(3)],
    ['nested array', [[[]], undefined, null]],
    ['array of nonsense', [null, Symbol('hostile'), proxy]],
    ['huge array length', { length: 2 ** 32, 0: 'a' }],
    ['deep object', deep(5_000)],
  ];
}

function throwing(): object {
  const fields = ['kind', 'at', 'agent', 'text', 'length', 'message', 'name', 'then', 'now'];
  const getters = fields.map((field) => [field, { get: fails, enumerable: true }]);
  return Object.defineProperties({}, Object.fromEntries(getters));
}

function traps(): ProxyHandler<object> {
  const names = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'];
  return Object.fromEntries(names.map((name) => [name, fails]));
}

function deep(levels: number): object {
  let value: object = {};
  for (let i = 0; i < levels; i++) value = { value };
  return value;
}

function fails(): never {
  throw new RangeError('a hostile value was used');
}
