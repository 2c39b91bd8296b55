/** The end of a help text: command lines, and what each is for. */
export function examples(
  ...lines: readonly (readonly [command: string, purpose: string])[]
): string {
  const shown = lines.map(([command, purpose]) => `  ${command}\n      ${purpose}`);
  return `\nExamples:\n${shown.join('\n')}`;
}
