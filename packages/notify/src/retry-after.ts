/** A server that asks for more patience is asked again after this. */
const MAX_WAIT_MS = 300_000;

/** Milliseconds to wait by the header Retry-After: seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const isSeconds = /^\s*\d+\s*$/.test(header);
  const ms = isSeconds ? 1_000 * Number(header) : Date.parse(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
