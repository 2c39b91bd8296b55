/** A text is not JSON; worded and positioned as in Python's decoder, which models are used to. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';

  constructor(problem: string, text: string, at: number) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    super(`${problem}: line ${line} column ${column} (char ${at})`);
  }
}

/**
 * Parses JSON; errors are worded as Python words them.
 *
 * @throws {@link JsonTextError}
 */
export function parseJson(text: string): unknown {
  const reader = new JsonReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    this.#skipSpace();
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (char === '{') return this.#object();
    if (char === '[') return this.#array();
    for (const [word, value] of words) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    numberPattern.lastIndex = this.#at;
    const [number] = numberPattern.exec(this.#text) ?? [];
    if (number === undefined) throw this.#error('Expecting value');
    this.#at += number.length;
    return Number(number);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#error('Extra data');
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#takes('}')) return object;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') {
        throw this.#error('Expecting property name enclosed in double quotes');
      }
      const key = this.#string();
      if (!this.#takes(':')) throw this.#error("Expecting ':' delimiter");
      // A plain assignment would lose a key named __proto__.
      const value = this.value();
      Object.defineProperty(object, key, { value, ...plain });
    } while (this.#takes(','));
    if (!this.#takes('}')) throw this.#error("Expecting ',' delimiter");
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at += 1;
    if (this.#takes(']')) return array;
    do array.push(this.value());
    while (this.#takes(','));
    if (!this.#takes(']')) throw this.#error("Expecting ',' delimiter");
    return array;
  }

  #string(): string {
    const start = this.#at;
    let value = '';
    for (this.#at += 1; ; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === undefined) throw this.#error('Unterminated string starting at', start);
      if (char === '"') break;
      if (char < ' ') throw this.#error('Invalid control character at');
      value += char === '\\' ? this.#escape(start) : char;
    }
    this.#at += 1;
    return value;
  }

  #escape(start: number): string {
    const begin = this.#at;
    this.#at += 1;
    const char = this.#text[this.#at];
    if (char === undefined) throw this.#error('Unterminated string starting at', start);
    if (char !== 'u') {
      const meant = escapes[char];
      if (meant === undefined) throw this.#error('Invalid \\escape', begin);
      return meant;
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
      throw this.#error('Invalid \\uXXXX escape', this.#at);
    }
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #takes(char: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? '#')) this.#at += 1;
  }

  #error(problem: string, at: number = this.#at): JsonTextError {
    return new JsonTextError(problem, this.#text, at);
  }
}

const plain = { enumerable: true, configurable: true, writable: true } as const;
