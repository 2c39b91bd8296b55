/** `over` on top of `base`: tables are merged key by key, everything else is replaced. */
export function merge<T extends object>(base: T, over: object): T {
  const merged = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isTable(before) && isTable(value) ? merge(before, value) : value;
  }
  return merged as T;
}

/** An instance of a class, such as a store, is a value and is never merged. */
function isTable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
