/** The arguments of a call, in OpenAI's terms, with a limit of at most so many tokens. */
export function withOutputLimit(
  args: Readonly<Record<string, unknown>> = {},
  most: number,
): Readonly<Record<string, unknown>> {
  const field = args.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens';
  return { ...args, [field]: Math.min(outputLimit(args) ?? most, most) };
}

/** The limit of an answer's length in the arguments of a call, if they have one in OpenAI's terms. */
export function outputLimit(args: Readonly<Record<string, unknown>> = {}): number | undefined {
  const limit = args.max_completion_tokens ?? args.max_tokens;
  return Number.isSafeInteger(limit) && (limit as number) >= 0 ? (limit as number) : undefined;
}
