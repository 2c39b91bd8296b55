const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Why a caller is not let in; `undefined` for one who is. */
export function strangerness(request: Request, token: string | undefined): string | undefined {
  const { headers } = request;
  if (token !== undefined) {
    return isSame(headers.get('x-teamfuse-token') ?? '', token)
      ? undefined
      : 'the header x-teamfuse-token is missing or wrong';
  }
  // A page in a browser may reach this machine, too, under a name of its own.
  const host = headers.get('host') ?? new URL(request.url).host;
  if (!LOOPBACK.test(host)) return 'the gateway is for this machine alone; start it with a token';
  return headers.has('origin') ? 'pages of browsers are not let in without a token' : undefined;
}

/** Compares in a time that says nothing about where texts differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => new TextEncoder().encode(text)) as [
    Uint8Array,
    Uint8Array,
  ];
  let difference = a.length ^ b.length;
  for (const [i, byte] of b.entries()) difference |= byte ^ (a[i] ?? 0);
  return difference === 0;
}
