/**
 * An object that does some things in another way and is the original in everything else.
 *
 * Methods of the original run on the original itself, so that its private members stay in reach.
 */
export function overlay<T extends object>(original: T, changes: Partial<T>): T {
  return new Proxy(original, {
    get(target, member) {
      if (Object.hasOwn(changes, member)) return Reflect.get(changes, member);
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' && member !== 'constructor' ? value.bind(target) : value;
    },
    set(target, member, value) {
      return Reflect.set(target, member, value, target);
    },
  });
}
