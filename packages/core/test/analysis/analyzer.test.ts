import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../src/analysis/analyzer.ts';
import type { JsonValue } from '../../src/index.ts';
import { lastStep, stalenessOf, stepsOf } from '../support/steps.ts';

const quoted = (text: string): string => JSON.stringify(text);

describe('Analyzer: what a step brings', () => {
  it('[ANL1] finds nothing stale in new names, numbers and code', () => {
    expect(stalenessOf('A:"The total is 42 euros."')).toEqual([0]);
    expect(stalenessOf(`A:${quoted('```python\nprint(1)\n```')}`)).toEqual([0]);
    expect(stalenessOf('A!exit0(test):"31 passed"')).toEqual([0]);
  });

  it('[ANL1] finds words the staler the more of them were said before, in any order', () => {
    const said = 'A:"Please review the draft of the annual report before Friday noon."';
    const again = 'B:"Before Friday noon, please review the draft of the annual report."';
    const partly = 'B:"Before noon the gardener watered lilies behind the chapel."';
    const [, old = 0] = stalenessOf(`${said} ${again}`);
    const [, mixed = 0] = stalenessOf(`${said} ${partly}`);
    expect(old).toBe(1);
    expect(mixed).toBeLessThan(0.5);
  });

  it.each([
    ['Japanese', '夏祭りの当番は倉庫の前に集まってください。'],
    ['Arabic', 'نلتقي أمام المخزن قبل المهرجان الصيفي'],
    ['Thai', 'เราจะพบกันหน้าโกดังก่อนงานเทศกาลฤดูร้อน'],
    ['Hindi', 'हम मेले से पहले गोदाम के सामने मिलेंगे'],
    ['Finnish', 'Tapaamme varaston edessä ennen kesäjuhlia'],
  ])('[ANL1] reads %s like any other language', (_, text) => {
    const [first = 1, , third] = stalenessOf(`A:${quoted(text)} `.repeat(3));
    expect(first).toBeLessThan(0.5);
    expect(third).toBe(1);
  });

  it('[ANL6] trusts fresh words where facts are rare, and not where they are the rule', () => {
    const work = 'A!exit0(a):"12 rows in t1" A!exit0(b):"57 rows in t2" A!exit0(c):"9 rows in t3" ';
    const talk = 'A:"Shall we rest?" B:"Yes, gladly so." A:"Then good night." ';
    const thanks = 'B:"What a lovely time that was."';
    const [afterWork, afterTalk] = [work, talk].map((before) =>
      Number(stalenessOf(before + thanks).at(-1)),
    );
    expect(afterWork).toBeGreaterThan(2 * (afterTalk as number));
  });

  it('[ANL7] counts a repeat in full from the third time on, unless something new came in between', () => {
    const line = 'A:"I will look into it now."';
    expect(stalenessOf(`${line} ${line} ${line}`).slice(1)).toEqual([0.5, 1]);
    const news = 'B:"Row 4711 is missing in stock.csv."';
    expect(stalenessOf(`${line} ${line} ${news} ${line}`).at(-1)).toBe(0.5);
  });

  it('[ANL8] takes an item for new: an old message with something else in one place', () => {
    const items = ['baker', 'grocer', 'florist'].map(
      (shop) => `A:"Dear ${shop}, the street will be closed on Sunday for the parade."`,
    );
    expect(stalenessOf(items.join(' ')).slice(1)).toEqual([0, 0]);
    expect(stalenessOf('A:"1. Walls" A:"2. Walls"').at(-1)).toBe(0);
  });

  it('[ANL10] leaves quoted lines out', () => {
    const before = 'A:"We meet at the harbour on Monday morning then."';
    const reply = quoted('Fine.\n> We meet at the harbour on Monday morning then.');
    const [, staleness] = stalenessOf(`${before} B:${reply}`);
    expect(staleness).toBe(stalenessOf(`${before} B:Fine.`)[1]);
  });

  it('[ANL11] takes a formula, a table or a drawing for new if it is another one', () => {
    expect(stalenessOf('A:"3 + 4 = 7" A:"4 + 3 = 7" A:"3 + 4 = 7"').slice(1)).toEqual([0, 0.5]);
  });

  it('[ANL12] counts a letter of an Indic script for two, and no sentence mark of any script', () => {
    expect(stalenessOf(`A:${quoted('।॥')}`)).toEqual(stalenessOf('A:.'));
    expect(stalenessOf(`A:${quoted('गोदाम')}`)[0]).toBeLessThan(1);
  });

  it('[ANL9] finds a hand-over the less stale the more new words it has, and new with a number', () => {
    const [bare = 0, short = 0, long = 0, exact] = [
      'A->B',
      'A->B:"please"',
      'A->B:"the parcel was damaged on its way through customs yesterday"',
      'A->B:"invoice 4711"',
    ].map((text) => stalenessOf(text)[0]);
    expect(bare).toBe(1);
    expect(short).toBeGreaterThan(long);
    expect(exact).toBe(0);
  });
});

describe('Analyzer: what does not count', () => {
  it.each([
    ['a time', (i: number) => `2025-03-0${i}T1${i}:4${i}:10Z`],
    ['a time of day', (i: number) => `1${i}:4${i}:10`],
    ['a UUID', (i: number) => `3f2b${i}c1e-9a4d-4e${i}7-8b21-5d${i}0c7e9f4a2`],
    ['a short hash', (i: number) => `a${i}f3c9${i}e`],
    ['a duration', (i: number) => `${i}7.3 ms`],
    ['a long number', (i: number) => `17638${i}00000${i}1`],
  ])('[ANL13] masks %s, in texts and in JSON', (_, volatile) => {
    const said = [1, 2, 3].map((i) => `A:"Nothing to report as of ${volatile(i)}."`);
    expect(stalenessOf(said.join(' ')).at(-1)).toBe(1);
    const called = [1, 2, 3].map((i) => `A>poll(q)={"note":"empty as of ${volatile(i)}"}`);
    expect(stalenessOf(called.join(' ')).at(-1)).toBe(1);
  });

  it('[ANL13] keeps numbers and names that carry meaning', () => {
    const prices = [411, 397, 388].map((price) => `A>quote(x)={"price":${price}}`);
    expect(stalenessOf(prices.join(' '))).toEqual([0, 0, 0]);
    expect(stalenessOf('A:"Open chapter7.md" A:"Open chapter8.md"').at(-1)).toBe(0);
  });

  it('[ANL13] leaves out the fields that a user declares', () => {
    const calls =
      'A>poll(q)={"noise":"amber harbour","n":1} A>poll(q)={"noise":"velvet dune","n":1}';
    expect(stalenessOf(calls).at(-1)).toBe(0);
    expect(stalenessOf(calls, { volatileFields: ['noise'] }).at(-1)).not.toBe(0);
  });

  it('[ANL4] finds nothing new in counters, in texts and in results', () => {
    const said = [1, 2, 3, 4].map((i) => `A:"Attempt ${i} to reach the server was in vain."`);
    expect(stalenessOf(said.join(' ')).at(-1)).toBe(1);
    const polled = [11, 12, 13, 14].map((i) => `A>poll(q)={"state":"queued","poll":${i}}`);
    expect(stalenessOf(polled.join(' ')).at(-1)).toBe(1);
  });
});

describe('Analyzer: calls and runs', () => {
  it('[ANL2] finds a call stale once it brings the same again, and new once it brings something else', () => {
    expect(stalenessOf('A>open(all)=40 A>open(all)=31 A>open(all)=31')).toEqual([0, 0, 1]);
  });

  it('[ANL2] knows a call whatever the order of its fields', () => {
    const calls = 'A>get({"a":1,"b":2})=x A>get({"b":2,"a":1})=x';
    expect(lastStep(calls).action?.earlier).toEqual([0]);
  });

  it('[ANL2] finds the same rich result stale under other words', () => {
    const hits = '["the lighthouse guide, 14 pages","harbour archive of 1958"]';
    const calls = ['builder', 'engineer', 'architect'].map((word) => `A>search(${word})=${hits}`);
    expect(stalenessOf(calls.join(' ')).slice(1)).toEqual([1, 1]);
  });

  it('[ANL15] takes a call for an item if it is acknowledged and differs in one place', () => {
    const mails = ['ann', 'ben', 'cleo'].map(
      (name) => `A>mail({"to":"${name}","text":"We meet at nine."})=sent`,
    );
    expect(stalenessOf(mails.join(' ')).slice(1)).toEqual([0, 0]);
    expect(stalenessOf(`${mails[0]} ${mails[0]}`).at(-1)).toBe(1);
  });

  it('[ANL15] lets a change begin afresh what is run after it', () => {
    const run = 'A!exit0(test):"42 passed"';
    expect(lastStep(`${run} A>edit({"x":"return a - b"})=ok ${run}`).action?.earlier).toEqual([]);
    expect(lastStep(`${run} A>edit({"x":"a"})=ok ${run} `.repeat(2)).action?.earlier).not.toEqual(
      [],
    );
  });

  it('[ANL3] finds another kind of error new, another error of a kind half new, and the same one stale', () => {
    const errors = ["KeyError: 'a'", "KeyError: 'b'", 'ValueError: no digits', "KeyError: 'a'"];
    const runs = errors.map((error, i) => `A!exit1(try${i}):${quoted(error)}`);
    expect(stalenessOf(runs.join(' '))).toEqual([0, 0.5, 0, 1]);
  });

  it('[ANL16] says how like an action is to the most and the second most similar one of its agent', () => {
    const line = 'A:"Please review the draft of the report."';
    const other = 'B:"Please review the draft of the report."';
    const [first, second, third] = stepsOf(`${line} ${other} ${line} ${line}`).filter(
      ({ signal }) => signal.agent === 'A',
    );
    expect([first?.sameness, first?.recurrence]).toEqual([0, 0]);
    expect([second?.sameness, second?.recurrence]).toEqual([1, 0]);
    expect([third?.sameness, third?.recurrence]).toEqual([1, 1]);
  });

  it('[ANL16] finds what an agent did again among its latest actions, with nothing new in between', () => {
    const line = 'A:"I will look into it now."';
    expect(lastStep(`${line} B:hm ${line} B:hm ${line}`).action).toMatchObject({
      earlier: [0, 2],
      match: 'identity',
    });
    expect(lastStep(`${line} B:"Row 4711 is gone." ${line}`).action?.earlier).toEqual([]);
  });
});

describe('Analyzer: people and waits', () => {
  const line = 'A:"I will look into it now."';

  it('[ANL5] forgets what was done when a person speaks, not when nobody answers', () => {
    expect(lastStep(`${line} P?"Please do so." ${line}`).action?.earlier).toEqual([]);
    const analyzer = new Analyzer();
    const at = 0;
    const said = { kind: 'message', at, agent: 'a', text: 'I will look into it now.' } as const;
    analyzer.observe(said);
    analyzer.observe({ kind: 'human-input', at, agent: 'p', decision: 'timeout' });
    expect(analyzer.observe(said).action?.earlier).toEqual([0]);
  });

  it('[ANL5] takes the same words again for those of a program, unless they were waited for', () => {
    const again = { kind: 'human-input', at: 0, agent: 'p', text: 'Go on.' } as const;
    const analyzer = new Analyzer();
    expect(analyzer.observe(again).isPerson).toBe(true);
    expect(analyzer.observe(again).isPerson).toBe(false);
    expect(analyzer.observe({ ...again, waitedMs: 60_000 }).isPerson).toBe(true);
    expect(analyzer.observe({ ...again, decision: 'approve' }).isPerson).toBe(true);
  });

  it('[ANL5] begins the comparison afresh after a wait before a call', () => {
    expect(lastStep('A>status(job7)=running +60000 A>status(job7)=running')).toMatchObject({
      isAfterWait: true,
      action: { earlier: [] },
    });
  });
});

describe('Analyzer: tokens', () => {
  const text = 'forty characters of text for an argument';
  const tokensOf = (result: JsonValue, options?: AnalyzerOptions): number =>
    new Analyzer(options).observe({
      kind: 'tool-call',
      at: 0,
      agent: 'a',
      tool: 't',
      args: { text },
      result,
    }).tokens;

  it('[ANL14] counts all of a call, whatever is left out of comparing it', () => {
    expect(tokensOf(1, { tools: { t: { loopKey: () => 'k' } } })).toBeGreaterThan(text.length / 5);
    expect(tokensOf(1, { volatileFields: ['text'] })).toBeGreaterThan(text.length / 5);
    const bare = tokensOf(true);
    expect(bare).toBeLessThan(text.length / 2);
    expect(tokensOf({ requestId: text, other: text }) - bare).toBeGreaterThanOrEqual(
      text.length / 4,
    );
  });
});
