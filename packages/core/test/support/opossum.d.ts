declare module 'opossum' {
  /** The part of opossum that tests and documents use; the package carries no types. */
  export default class CircuitBreaker<A extends unknown[], R> {
    constructor(action: (...args: A) => Promise<R>, options?: Readonly<Record<string, unknown>>);
    readonly opened: boolean;
    readonly stats: Readonly<Record<'fires' | 'failures' | 'rejects', number>>;
    fire(...args: A): Promise<R>;
    open(): void;
    close(): void;
    shutdown(): void;
  }
}
