/** A received value as an error text shows it: short, and so that `'3'` and `3` look different. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'function') return `the function ${value.name || '<anonymous>'}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  return name === undefined || name === '' || name === 'Object' ? 'an object' : `a ${name}`;
}

const MAX_LENGTH = 60;

function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}
