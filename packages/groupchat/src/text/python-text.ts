/** The name Python prints for the type of a value; error texts of the wire carry it. */
export function pythonType(value: unknown): string {
  return `<class '${pythonTypeName(value)}'>`;
}

/** The bare name of {@link pythonType}. */
export function pythonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    case 'function':
      return 'function';
    default:
      return 'dict';
  }
}

/** A list of names as Python prints it: prompts and selection models are used to `['A', 'B']`. */
export function pythonNameList(names: readonly string[]): string {
  return `[${names.map(quoted).join(', ')}]`;
}

function quoted(name: string): string {
  const quote = name.includes("'") && !name.includes('"') ? '"' : "'";
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

/** JSON with a space after commas and colons, as Python writes it. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value) ?? 'null';
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}: ${spacedJson(field)}`).join(', ')}}`;
}
