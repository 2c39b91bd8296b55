import type { Breaker } from '../../src/index.ts';

/** What the team of a breaker is warned of from now on. */
export function warningsOf(breaker: Breaker): string[] {
  const warnings: string[] = [];
  breaker.on('finding', ({ effect, finding }) => {
    if (effect === 'warn') warnings.push(finding.reason);
  });
  return warnings;
}
