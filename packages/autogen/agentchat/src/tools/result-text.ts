/** The text of a tool's result: strings unchanged, `undefined` as an empty text, anything else as JSON. */
export function resultText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A bigint, or an object that contains itself.
    return String(value);
  }
}
