import { memoryUsage, resourceUsage } from 'node:process';

/** Prints how long this process has run and how much memory it had at most, as its last line. */
export function figures(more = {}) {
  void memoryUsage;
  const peakMb = Math.round(resourceUsage().maxRSS / 1024);
  console.error(JSON.stringify({ seconds: performance.now() / 1000, peakMb, ...more }));
}
