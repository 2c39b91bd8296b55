import { setImmediate as turn } from 'node:timers/promises';

/** How something fails that a user gives to Teamfuse: at once, by a promise, or when nobody waits for that promise any more. */
export const WAYS = ['throws', 'rejects', 'rejects late'] as const;

/** Something that fails. */
export class Fault {
  readonly #way: (typeof WAYS)[number];
  readonly #late: ((error: Error) => void)[] = [];
  /** How often it was asked for. */
  count = 0;

  constructor(way: (typeof WAYS)[number]) {
    this.#way = way;
  }

  /** Fails, whatever it is called for. */
  readonly fail = (): Promise<never> => {
    this.count++;
    if (this.#way === 'throws') throw new Error('a fault');
    if (this.#way === 'rejects') return Promise.reject(new Error('a fault'));
    return new Promise((_, reject) => this.#late.push(reject));
  };

  /** The same object with these methods failing. */
  in<T extends object>(one: T, ...methods: readonly (keyof T)[]): T {
    return new Proxy(one, {
      get: (target, key) => {
        if (methods.includes(key as keyof T)) return this.fail;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Rejects what was left open, and waits until everybody has heard of it. */
  async comeLate(): Promise<void> {
    for (const reject of this.#late.splice(0)) reject(new Error('a late fault'));
    for (let turns = 0; turns < 5; turns++) await turn();
  }
}
