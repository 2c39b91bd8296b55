/** A Python name the way it is written here; other text with its names so changed. */
export function camelCase(text: string): string {
  return text.replace(/_([a-z])/g, (_found, letter: string) => letter.toUpperCase());
}
