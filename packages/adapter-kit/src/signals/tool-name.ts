/** A name for a tool whose name a model has left out. */
export function toolName(given: string): string {
  return given || '(no name)';
}
