/** Anything JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A value that may be there at once or come later, so that state can be shared between processes. */
export type MaybePromise<T> = T | Promise<T>;
