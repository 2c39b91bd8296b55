import { describe, expect, it } from 'vitest';
import { findings, PARTS, runs, storm } from '../../support/storms.ts';

describe('one cause of many failures', () => {
  /** A server that is down, asked through ten tools by one agent. */
  const down = (between = '', error = '"connection refused"'): string =>
    Array.from({ length: 10 }, (_, i) => `A>tool${i}(q)!${error} ${between}`).join(' ');

  it('[STO19] is certain of ten identical errors of one agent, whatever it called', () => {
    expect(storm(down())).toBe('.........T');
    const [found] = findings(down()).filter(Boolean);
    expect(found).toMatchObject({
      basis: 'certain',
      reason:
        "calls of several tools failed ten times in a row with the same error: 'connection refused'",
      evidence: { count: 10, limit: 10 },
    });
  });

  it('[STO19] counts them through the calls of models, and what is said', () => {
    expect(storm(down('A#900/40 A:"Let me try another tool."')).indexOf('T')).toBe(27);
  });

  it('[STO19] leaves other errors alone, those of several agents, and begins anew after a success', () => {
    const errors = Array.from({ length: 12 }, (_, i) => `A>tool${i}(q)!"no ${PARTS[i % 8]} ${i}"`);
    expect(storm(errors.join(' '))).not.toContain('T');
    const agents = Array.from({ length: 12 }, (_, i) => `A${i}>tool${i}(q)!"connection refused"`);
    expect(storm(agents.join(' '))).not.toContain('T');
    const nine = down().split(' A>tool9')[0];
    expect(storm(`${nine} A>clock()=12:00 ${nine}`)).not.toContain('T');
  });

  it('[STO19] takes no status among results for one, and no number of failures that falls', () => {
    const pages = Array.from({ length: 20 }, (_, i) => `A>check(page${i})={"status":404}`);
    expect(findings(pages.join(' ')).find(Boolean)?.basis).toBe('suspected');
    const fewer = Array.from(
      { length: 14 },
      (_, i) => `1 ${99 - 7 * i} failed, ${7 * i} passed\nKeyError: vat`,
    );
    expect(storm(runs(...fewer))).not.toContain('T');
  });
});
