/** JSON with a space after commas and colons, as Python writes it. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${spaced(field)}`,
  );
  return `{${fields.join(', ')}}`;
}
