import { resourceUsage } from 'node:process';

/** Prints how long this process has run and how much memory it had at most, as its last line. */
export function figures(more = {}) {
  const peakMb = Math.round(resourceUsage().maxRSS / 1024);
  const { userCPUTime, systemCPUTime } = resourceUsage();
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  console.error(JSON.stringify({ seconds: performance.now() / 1000, cpuSeconds, peakMb, ...more }));
}
