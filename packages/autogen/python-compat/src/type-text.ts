/** How Python names the type of a value in an error text: `<class 'int'>`. */
export function typeText(value: unknown): string {
  return `<class '${typeName(value)}'>`;
}

/** Python's name for the type of a value, a class under its own name. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'function') return 'function';
  if (Array.isArray(value)) return 'list';
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return name === undefined || name === 'Object' ? 'dict' : name;
}
