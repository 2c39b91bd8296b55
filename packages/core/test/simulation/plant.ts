type Method = (...args: never[]) => unknown;
type Methods<T> = { [K in keyof T]: T[K] extends Method ? K : never }[keyof T];
type ArgsOf<F> = F extends (...args: infer A) => unknown ? A : never;

/** Plants two faults at once. */
export function both(one: () => () => void, other: () => () => void): () => () => void {
  return () => {
    const takeOut = [one(), other()];
    return () => {
      for (const each of takeOut) each();
    };
  };
}

/** Has `wrong` answer in place of a method, every `n`th time. */
export function every<T extends object, K extends Methods<T> & string>(
  type: { readonly prototype: T },
  name: K,
  n: number,
  wrong: (real: T[K], args: ArgsOf<T[K]>, self: T) => unknown,
): () => () => void {
  return () => {
    const { prototype } = type;
    const real = prototype[name] as (this: T, ...args: unknown[]) => unknown;
    let calls = 0;
    const faulty = function (this: T, ...args: unknown[]): unknown {
      if (++calls % n > 0) return real.apply(this, args);
      return wrong(real.bind(this) as T[K], args as ArgsOf<T[K]>, this);
    };
    Object.assign(prototype, { [name]: faulty });
    return () => void Object.assign(prototype, { [name]: real });
  };
}
