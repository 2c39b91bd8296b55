declare module 'opossum' {
  /** The part of opossum the oracle uses; the package carries no types. */
  export default class CircuitBreaker<A extends unknown[], R> {
    constructor(action: (...args: A) => Promise<R>, options: Readonly<Record<string, unknown>>);
    readonly opened: boolean;
    fire(...args: A): Promise<R>;
  }
}
