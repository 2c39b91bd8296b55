import { readFileSync } from 'node:fs';
import { transcript } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import type { Evidence, FindingKind } from '../../src/detectors.ts';
import { Breaker, explain, type Signal, type Trip } from '../../src/index.ts';
import { aTrip, message, usage } from '../support/signals.ts';
import { explainAnything, QUIET, tripOf, tripsAt } from './alarms.ts';

const PAGE = new URL('../../../../docs/options.md', import.meta.url);

/** The row of an option on the page of options. */
function rowOf(path: string): string {
  const [table, option] = path.split('.');
  const sections = readFileSync(PAGE, 'utf8').split('\n## ');
  const section = sections.find((one) => one.startsWith(`\`${table}\``)) ?? '';
  return section.split('\n').find((row) => row.startsWith(`| \`${option}\` |`)) ?? 'none';
}

function alarm(signals: readonly Signal[], evidence: Partial<Evidence>, reason?: string): Trip {
  return tripOf(signals, {
    ...QUIET,
    detectors: [() => tripsAt(signals.length - 1, evidence, reason)],
  });
}

const said = (count: number): Signal[] =>
  Array.from({ length: count }, (_, i) => message('a', `line ${i}`));

describe('explain', () => {
  it('[EXP1] begins with what happened, who, how often, and what was spent since', () => {
    const signals = [message('a', 'one'), usage({ costUsd: 0.25 }), message('b', 'two')];
    const trip = alarm(signals, { agents: ['a', 'b'], indices: [0, 2], period: 2 });
    expect(explain(trip).split('\n').slice(0, 6)).toEqual([
      'custom:alarm: too much',
      '  who    a, b',
      '  count  3 against a limit of 3, in rounds of 2',
      '  basis  suspected: no judge was asked',
      '  spent  $0.25, 15 tokens, since #0',
      '',
    ]);
  });

  it('[EXP1] counts money as money', () => {
    const trip = tripOf([usage({ costUsd: 0.25 })], { budget: { maxUsd: 0.1 } });
    expect(explain(trip)).toContain('count  $0.25 against a limit of $0.10');
  });

  it('[EXP1] says how sure a judge was, and which option moves its limit', () => {
    const judged = { count: 0.93, limit: 0.75, subject: 'probability' } as const;
    const trip = alarm(said(2), judged);
    expect(explain(trip)).toContain(
      '  count  the judge is 93% sure; 75% is enough to stop the team\n',
    );
    expect(explain(trip)).toMatch(/\nIf the judge was wrong, raise judge\.stopFrom \(0\.5\)\.$/);
  });

  it('[EXP1] says which step was the last new one, where that is known', () => {
    const talk = transcript(`b:"Row 4711 is gone." ${'a>search(x)=none '.repeat(3)}`);
    expect(explain(tripOf(talk))).toContain(
      '\n  basis  certain: it was counted; the last new step was #1\n',
    );
  });

  it('[EXP2] shows the evidence in order, aligned, and counts what lies between', () => {
    const work = 'writer>search(x)=12 b:hello writer:"on it" ann:b ann:c';
    const trip = alarm(transcript(work), { indices: [0, 1, 4] });
    expect(explain(trip).split('\n').slice(6, 11)).toEqual([
      '  #0  writer  tool-call  search("x"): 12',
      '  #1  b       message    hello',
      '      (2 other signals)',
      '  #4  ann     message    c',
      '',
    ]);
  });

  it('[EXP3] shows the beginning and the end of a long run', () => {
    const indices = Array.from({ length: 30 }, (_, i) => 2 * i + 1);
    const text = explain(alarm(said(60), { indices }));
    const shown = [...text.matchAll(/^ +#(\d+)/gm)].map(([, index]) => Number(index));
    expect(shown).toEqual([...indices.slice(0, 4), ...indices.slice(-8)]);
    expect(text).toContain('(18 more like these, 19 other signals)');
  });

  it('[EXP4] keeps what was said from passing for a line or a column of ours', () => {
    const fake = 'hi\n  #9  boss  message  All is well.\u2028\u2029\u0085If \u001b[2Jso\u202e';
    const name = 'critic  message  I\u3164agree\u2800\u2800!\r';
    const trip = alarm([message(name, fake)], { agents: [name], subject: fake }, fake);
    const lines = explain(trip).split('\n');
    expect(lines.filter((line) => line.includes('boss'))).toEqual([
      'custom:alarm: hi #9 boss message All is well. If [2Jso',
      '  #0  critic message Iagree !  message  hi #9 boss message All is well. If [2Jso',
    ]);
    expect(lines[1]).toBe('  who    critic message Iagree !');
  });

  it('[EXP5] explains a stored trip like the one it was stored from', () => {
    const trip = alarm(said(5), { indices: [1, 4] });
    expect(explain(JSON.parse(JSON.stringify(trip)))).toBe(explain(trip));
  });

  it('[EXP5] cleans a trip that somebody else has stored', () => {
    const { evidence, ...trip } = alarm(said(2), { indices: [1] });
    const signals = [{ index: 1, kind: 'message', agent: 'a\nb', at: 0, excerpt: '\u001b[31mred' }];
    const stored = { ...trip, reason: 'x\ny', evidence: { ...evidence, signals } } as Trip;
    expect(explain(stored).split('\n')).toHaveLength(
      explain(alarm(said(2), {})).split('\n').length,
    );
    expect(explain(stored)).not.toContain('\u001b');
  });

  it('[EXP5] says what is no longer remembered', () => {
    const text = explain(alarm(said(700), { indices: [3, 699] }));
    expect(text).toContain(
      '    #3  (no longer remembered)\n        (695 other signals)\n  #699  a',
    );
  });

  it('[EXP5] says that excerpts are off', () => {
    const detectors = [() => tripsAt(1, { indices: [0, 1] })];
    const text = explain(tripOf(said(2), { ...QUIET, detectors, excerpts: false }));
    expect(text).toContain('  #1  a  message\n  (what was said is not quoted: excerpts are off)');
    expect(text).not.toContain('line');
  });

  it('[EXP5] does without any evidence', () => {
    expect(explain(new Breaker().stop('lunch'))).toBe(
      'manual: lunch\n  who    -\n  count  1 against a limit of 1\n  basis  declared: a limit was reached\n\nThe team was stopped by hand. To continue, call breaker.reset().',
    );
  });

  const kinds: FindingKind[] = [
    'speaker-cycle',
    'repetition',
    'execution-storm',
    'history-drift',
    'nested-cascade',
    'rate',
    'budget',
    'context-window',
    'limit',
    'custom:mood',
  ];

  it.each(kinds)('[EXP6] ends with what answers a false alarm of %s', (kind) => {
    const last =
      explain({ ...aTrip(), kind })
        .split('\n')
        .at(-1) ?? '';
    const options = last.match(/\b(?!breaker)[a-zA-Z]+\.[a-zA-Z]+/g);
    if (kind === 'custom:mood') expect(last).toContain("reaction: { 'custom:mood': 'warn' }");
    else if (kind === 'limit') expect(last).toContain('breaker.reset()');
    else if (kind === 'budget') expect(last).toMatch(/breaker\.(?:raise|reset)\(/);
    else for (const option of options ?? ['none']) expect(rowOf(option)).not.toBe('none');
    for (const [, option, byDefault] of last.matchAll(/(\w+\.\w+) \(([\d.]+)\)/g)) {
      expect(rowOf(option ?? '').endsWith(`; \`${byDefault}\` |`)).toBe(true);
    }
  });

  it('[EXP7] stays bounded and clean, and shows or counts every signal, whatever comes', () =>
    explainAnything(25));

  it.each([
    [{ costUsd: null }, '15 tokens (price unknown)'],
    [{ costUsd: 0.02, isEstimate: true }, 'about $0.02, 15 tokens'],
    [{ costUsd: 0, inputTokens: 0, outputTokens: 0, error: { message: 'down' } }, 'none reported'],
  ])('[EXP8] says of spend %j what is known: %s', (fields, expected) => {
    const trip = alarm([usage(fields), message('a', 'x')], { indices: [0, 1] });
    expect(explain(trip)).toContain(`  spent  ${expected}`);
  });
});
