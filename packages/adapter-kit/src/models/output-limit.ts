/** The limit of an answer's length in the arguments of a call, if they have one in OpenAI's terms. */
export function outputLimit(args: Readonly<Record<string, unknown>> = {}): number | undefined {
  const limit = args.max_completion_tokens ?? args.max_tokens;
  return Number.isSafeInteger(limit) && (limit as number) >= 0 ? (limit as number) : undefined;
}
