/** Whether the text is a Python identifier, which AutoGen requires of agent names. */
export function isIdentifier(text: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text);
}
