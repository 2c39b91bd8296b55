/** Whether a value of a map is a JSON pointer (RFC 6901) rather than a constant. */
export function isPointer(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('/');
}

/** Throws unless the `~` of a pointer are escapes. */
export function checkPointer(value: unknown): void {
  if (isPointer(value) && /~(?![01])/.test(value)) {
    throw new Error(`expected a JSON pointer, received '${value}': write ~0 for ~ and ~1 for /`);
  }
}

/** The value at a pointer; `undefined` if there is none. */
export function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}
