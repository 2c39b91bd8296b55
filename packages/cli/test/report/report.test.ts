import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signal } from '@teamfuse/core';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Costliest } from '../../src/replay/costliest.ts';
import { policyOf } from '../../src/replay/policy.ts';
import { Replay, type Replayed } from '../../src/replay/replay.ts';
import type { Spend } from '../../src/replay/spend.ts';
import type { Trace } from '../../src/replay/trace.ts';
import { fixture } from '../support/fixture.ts';
import { loop, paid, progress, said, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function reportOf(lines: readonly string[]): Promise<string> {
  const output = join(folder, 'report.html');
  await runHere(['report', writeLines(join(folder, 'in.jsonl'), lines), '-o', output]);
  return readFileSync(output, 'utf8');
}

async function traceOf(lines: readonly string[]): Promise<Trace> {
  const policy = policyOf({});
  const replay = new Replay('a', 'b', { policy, rejected: () => {} }, true);
  await replay.add({ signals: lines.map((line) => JSON.parse(line) as Signal) });
  return replay.trace as Trace;
}

describe('teamfuse report', () => {
  it('[REPORT1] writes one page with the figures of all conversations, and the costliest trip first', async () => {
    const lines = [...loop('short', 20), ...progress('fine', 9), ...loop('long', 60)];
    const html = await reportOf(lines);
    expect(html).toContain('by stopping 2 of 3 conversations</h1>');
    const places = ['long', 'short', 'fine'].map((id) => html.indexOf(`<bdi>${id}</bdi></h2>`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('[REPORT1] says on the console what it wrote, and ends with 3 if something could not be read', async () => {
    const output = join(folder, 'broken.html');
    const { code, out } = await runHere(['report', fixture('turns.broken.jsonl'), '-o', output]);
    expect([code, out]).toEqual([3, expect.stringContaining('would have been')]);
    expect(readFileSync(output, 'utf8')).toMatch(/\d lines were broken/);
    const nowhere = await runHere([
      'report',
      fixture('turns.jsonl'),
      '-o',
      join(folder, 'no', 'x'),
    ]);
    expect(nowhere).toMatchObject({
      code: 3,
      err: expect.stringContaining('no such file or directory'),
    });
  });

  it('[REPORT9] says first how much money would have been saved, and for each stop what to change', async () => {
    const paidLoop = loop('weekly', 40).flatMap((line, i) => [paid(i, 'weekly', 'x', 0.1), line]);
    const html = await reportOf(paidLoop);
    expect(html).toMatch(/<h1>\$\d\.\d\d of \$4\.00 would have been saved<\/h1>/);
    expect(html).toMatch(
      /What to change: <\/span><bdi>If this was no loop, raise speakerCycle\.limit/,
    );
  });

  it('[REPORT14] names conversations by their tasks, and marks what is estimated', async () => {
    const id = '2026-11-23T04:24:27.558Z-5454#4';
    const task = { kind: 'human-input', at: 0, agent: 'user', conversation: id, text: 'Plan it.' };
    const html = await reportOf([JSON.stringify(task), ...loop(id, 40)]);
    expect(html).toContain('<bdi>Plan it.</bdi></h2>');
    expect(html).toContain(`<bdi>planner, writer, critic</bdi> · <bdi>${id}</bdi>`);
    expect(html).toMatch(/<h1>about [\d,]+ tokens of [\d,]+ tokens would/i);
    expect(html).toContain('No usage is recorded in 1 conversation, so it is estimated');
    expect(html).toContain('Spend in tokens, estimated');
  });

  it('[REPORT2] has a policy that lets nothing load or run', async () => {
    const html = await reportOf(loop('a', 20));
    expect(html).toContain('default-src &#39;none&#39;'.replaceAll('&#39;', "'"));
    expect(html).not.toMatch(/<script|unsafe-inline|https?:\/\/(?!www\.w3\.org)/);
  });

  it('[REPORT4] shows no key that a recording holds', async () => {
    const key = 'sk-proj-abcdef0123456789ABCDEF';
    const lines = Array.from({ length: 9 }, (_, i) =>
      said(i, `chat ${key}`, `bot ${key}`, `login with ${key}`),
    );
    const html = await reportOf(lines);
    expect(html).not.toContain('abcdef0123');
    expect(html).toContain('[redacted]');
  });

  it('[REPORT7] says how many it details, be it one', async () => {
    expect(await reportOf(loop('stuck', 20))).toContain('the first is shown in detail below');
    const both = await reportOf([...loop('stuck', 20), ...progress('fine', 9)]);
    expect(both).toContain('the first 2 are shown in detail below');
    expect(both).toContain('1 conversation that would not have been stopped');
  });

  it('[REPORT7] details twenty conversations and lists five hundred, however many there are', async () => {
    const html = await reportOf(
      Array.from({ length: 700 }, (_, i) => progress(`chat ${i}`, 2)).flat(),
    );
    expect(html.match(/<section class="conversation"/g)).toHaveLength(20);
    expect(html.match(/<td>(?:<a [^>]*>)?<bdi>chat \d+<\/bdi>/g)).toHaveLength(500);
    expect(html).toContain('200 more are included in the figures above');
    expect(statSync(join(folder, 'report.html')).size).toBeLessThan(2_000_000);
  });
});

describe('the costliest conversations', () => {
  it('[REPORT7] are the first in their order, however they come; of equal ones the earlier', () => {
    const spend = fc.record({
      turns: fc.nat(2),
      tokens: fc.nat(2),
      usd: fc.constantFrom(null, 0, 1),
    });
    const one = fc.record({ trips: fc.constantFrom([], [1]), saved: spend, spent: spend });
    fc.assert(
      fc.property(fc.array(one), fc.integer({ min: 1, max: 4 }), (all, max) => {
        const costliest = new Costliest(max);
        const replayed = all.map((some, i) => ({ ...some, id: `${i}` }) as unknown as Replayed);
        for (const some of replayed) if (costliest.wants(some)) costliest.add(some);
        const cost = ({ usd, tokens, turns }: Spend): number =>
          (usd ?? 0) * 100 + tokens * 10 + turns;
        const weight = ({ trips, saved, spent }: Replayed): number =>
          trips.length * 1e6 + cost(saved) * 1e3 + cost(spent);
        const sorted = replayed.toSorted((a, b) => weight(b) - weight(a)).slice(0, max);
        expect(costliest.all.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      }),
    );
  });
});

describe('a trace', () => {
  it('[REPORT8] holds a bounded part of a conversation: what came before the trip, and a little after', async () => {
    const { turns, spend } = await traceOf([...progress('a', 700), ...loop('a', 400)]);
    const before = turns.filter(({ isAfter }) => !isAfter);
    expect([before.length, turns.length - before.length]).toEqual([120, 40]);
    expect(before.at(-1)?.isEvidence).toBe(true);
    expect(spend.length).toBeLessThan(210);
    expect(spend.at(-1)?.turn).toBe(1100);
  });

  it('[REPORT8] adds up what was spent by each turn', async () => {
    const lines = [0, 1, 2].flatMap((i) => [
      paid(i, 'a', 'x', 0.25),
      said(i, 'a', 'x', `Number ${i * 77}`),
    ]);
    const { spend } = await traceOf(lines);
    expect(spend).toEqual([
      { turn: 1, tokens: 120, usd: 0.25, isEstimate: false },
      { turn: 2, tokens: 240, usd: 0.5, isEstimate: false },
      { turn: 3, tokens: 360, usd: 0.75, isEstimate: false },
    ]);
  });

  it('[REPORT8] counts who followed whom; beyond twelve speakers they are others', async () => {
    const lines = Array.from({ length: 40 }, (_, i) =>
      said(i, 'a', `bot ${i % 20}`, `Number ${i * 77}`),
    );
    const { passages } = await traceOf(lines);
    expect(passages).toContainEqual({ from: 'bot 0', to: 'bot 1', count: 2 });
    expect(passages).toContainEqual({ from: 'others', to: 'others', count: 14 });
    expect(passages).toHaveLength(14);
  });

  it('[REPORT8] holds the suspicion after each turn and the one that stops', async () => {
    const { turns } = await traceOf(loop('a', 12));
    expect(turns.at(-1)?.suspicion).toBeGreaterThan(turns[6]?.suspicion as number);
    expect(turns.at(-1)?.stopAt).toBe(10);
  });
});
