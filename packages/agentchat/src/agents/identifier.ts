/** Whether Python would take the text as an identifier, which AutoGen asks of agent names. */
export function isIdentifier(text: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(text);
}
