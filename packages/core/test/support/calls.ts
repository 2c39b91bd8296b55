/** A tool call, without its arguments. */
export const CALL = { kind: 'tool-call', agent: 'clerk', tool: 'look' } as const;
