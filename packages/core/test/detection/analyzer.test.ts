import { describe, expect, it } from 'vitest';
import { Analyzer, type AnalyzerOptions } from '../../src/detection/analyzer.ts';
import type { JsonValue } from '../../src/kit.ts';
import { lastStep, stalenessOf, stepsOf } from '../support/steps.ts';

const quoted = (text: string): string => JSON.stringify(text);

describe('Analyzer: what a step brings', () => {
  it('[ANL1] finds nothing stale in new names, numbers and code', () => {
    expect(stalenessOf('A:"The total is 42 euros."')).toEqual([0]);
    expect(stalenessOf(`A:${quoted('```python\nprint(1)\n```')}`)).toEqual([0]);
    expect(stalenessOf('A!exit0(test):"31 passed"')).toEqual([0]);
  });

  it('[ANL1] finds code no news that was answered before, whatever is said around it', () => {
    const code = (said: string): string =>
      `A:${quoted(`${said}\n\`\`\`python\nprint(1)\n\`\`\``)} B:1`;
    const [first, , again] = stalenessOf(
      `${code('Please run this.')} ${code('Run this, please.')}`,
    );
    expect(first).toBe(0);
    expect(again).toBeGreaterThan(0.5);
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

  it('[ANL7] counts what an agent says the second time for three quarters, and in full from the third time on', () => {
    const line = 'A:"I will look into it now."';
    expect(stalenessOf(`${line} ${line} ${line}`).slice(1)).toEqual([0.75, 1]);
    expect(stalenessOf(`${line} B:"I will look into it now."`).at(-1)).not.toBe(0.75);
  });

  it('[ANL8] takes an old message with something else in one place for little stale: it is another item', () => {
    const items = ['baker', 'grocer', 'florist'].map(
      (shop) => `A:"Dear ${shop}, the street will be closed on Sunday for the parade."`,
    );
    expect(stalenessOf(items.join(' ')).slice(1)).toEqual([0.4, 0.4]);
    const letters = ['a', 'b', 'c'].map(
      (letter) => `A:"Field ${letter} of the form is filled in."`,
    );
    expect(stalenessOf(letters.join(' ')).slice(1)).toEqual([0.4, 0.4]);
    const numbered = [7, 8, 9].map((i) => `A:"Attempt ${i} to reach the server was in vain."`);
    expect(stalenessOf(numbered.join(' ')).slice(1)).toEqual([0.4, 0.4]);
  });

  it('[ANL10] leaves quoted lines out', () => {
    const before = 'A:"We meet at the harbour on Monday morning then."';
    const reply = quoted('Fine.\n> We meet at the harbour on Monday morning then.');
    const [, staleness] = stalenessOf(`${before} B:${reply}`);
    expect(staleness).toBe(stalenessOf(`${before} B:Fine.`)[1]);
  });

  it('[ANL10] reads quoted lines where there are no others', () => {
    const quote = (mark: string): string =>
      quoted(`${mark}The lighthouse keeper\n${mark}feeds seven gulls.`);
    expect(stalenessOf(`A:${quote('> ')}`)).toEqual(stalenessOf(`A:${quote('')}`));
  });

  it('[ANL11] tells signs apart where there are no words', () => {
    expect(stalenessOf('A:":-)" A:":-(" A:":-)"')).toEqual([0.5, 0.5, 0.75]);
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
  type Form = (i: number) => string;
  const thrice = (step: Form): string => [1, 2, 3].map(step).join(' ');
  const said = (volatile: Form): string =>
    thrice((i) => `A:"Nothing to report as of ${volatile(i)}."`);
  const called = (volatile: Form): string =>
    thrice((i) => `A>poll(q)={"note":"empty as of ${volatile(i)}"}`);

  it.each([
    ['a time', (i: number) => `2025-03-0${i}T1${i}:4${i}:10Z`],
    ['a time of day', (i: number) => `1${i}:4${i}:10`],
    ['a duration', (i: number) => `${i}7.3 ms`],
    ['a duration in `sec`', (i: number) => `4.${i}3 sec`],
    ['a duration in `secs`', (i: number) => `${i}.2 secs`],
    ['a duration right before its `sec`', (i: number) => `${i}.2sec`],
    ['a duration of several units', (i: number) => `${i}m${i}2s`],
    ['an age in hours', (i: number) => `1${i}h${i}m`],
    ['an age in days', (i: number) => `1${i}d${i}h`],
  ])('[ANL13] masks %s, in texts and in JSON', (_, volatile) => {
    expect(stalenessOf(said(volatile)).at(-1)).toBe(1);
    expect(stalenessOf(called(volatile)).at(-1)).toBe(1);
  });

  it.each([
    ['a UUID', (i: number) => `3f2b${i}c1e-9a4d-4e${i}7-8b21-5d${i}0c7e9f4a2`],
    ['a short hash', (i: number) => `a${i}f3c9${i}e`],
    ['a long number', (i: number) => `17638${i}00000${i}1`],
  ])('[ANL13] masks %s in JSON, and keeps it in texts', (_, id) => {
    expect(stalenessOf(called(id)).at(-1)).toBe(1);
    expect(stalenessOf(said(id))).toEqual([0, 0, 0]);
  });

  it('[ANL13] masks the blanks that pad a duration, and keeps others', () => {
    const rows = ['9s', '10s', '3m5s'].map((age) => `A>ps(q)="${age.padEnd(6)}waiting"`);
    expect(stalenessOf(rows.join(' '))).toEqual([0, 1, 1]);
    const maps = ['..', ' .', '  .'].map((map) => `A>look(q)="#${map}#"`);
    expect(stalenessOf(maps.join(' '))).toEqual([0, 0, 0]);
  });

  it.each(['5m', '3h', '7d', 'm5s', '3s5m', '5 sections', '5sect'])(
    '[ANL13] keeps %s, which need not be a duration',
    (name) => {
      const looked = thrice((i) => `A>look(q)="at ${name.replace(/\d/, `${i}$&`)}"`);
      expect(stalenessOf(looked)).toEqual([0, 0, 0]);
    },
  );

  it.each([
    ...['took', 'elapsed', 'duration', 'latency', 'ms', 'elapsedMs', 'took_ms', 'responseTime'],
    ...['response_time', 'durationSeconds', 'eval_duration', 'queryLatency', 'executionTimeMillis'],
  ])('[ANL13] masks a number that is named as a duration: %s', (name) => {
    const called = [1, 2, 3].map((i) => `A>search(q)={"hits":[],"${name}":${i * 17}}`);
    expect(stalenessOf(called.join(' '))).toEqual([0, 1, 1]);
  });

  it.each(['hits', 'time', 'mistook', 'tookOver', 'endurance', 'page', 'classes', 'bedtime'])(
    '[ANL13] keeps a number that is named otherwise: %s',
    (name) => {
      const called = [1, 2, 3].map((i) => `A>search(q)={"rows":[],"${name}":${i * 17}}`);
      expect(stalenessOf(called.join(' '))).toEqual([0, 0, 0]);
    },
  );

  it('[ANL13] keeps what changes beside a duration', () => {
    const called = [1, 2, 3].map((i) => `A>search(q)={"hits":${i * 31},"took":${i * 17}}`);
    expect(stalenessOf(called.join(' '))).toEqual([0, 0, 0]);
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
});

describe('Analyzer: calls and runs', () => {
  it('[ANL18] finds a call that a person rejected as stale as another one with a known outcome, and the same one stale', () => {
    const analyzer = new Analyzer();
    const staleness = ['a', 'b', 'c', 'c'].map((file, at) => {
      const call = { kind: 'tool-call', at, agent: 'x', tool: 'edit', args: { file } } as const;
      const error = { message: 'no', code: 'REJECTED' };
      return analyzer.observe({ ...call, error, executed: false }).staleness;
    });
    expect(staleness).toEqual([0.4, 0.4, 0.4, 1]);
  });

  it('[ANL2] finds a call stale once it brings the same again, and new once it brings something else', () => {
    expect(stalenessOf('A>open(all)=40 A>open(all)=31 A>open(all)=31')).toEqual([0, 0, 1]);
  });

  it('[ANL2] knows a call whatever the order of its fields', () => {
    expect(stalenessOf('A>get({"a":1,"b":2})=x A>get({"b":2,"a":1})=x').at(-1)).toBe(1);
  });

  it('[ANL2] finds a call new if its result is, and little stale if another call came to the same', () => {
    const rows = [7, 8, 9].map((id) => `A>delete({"id":${id}})=deleted`);
    expect(stalenessOf(rows.join(' '))).toEqual([0, 0.4, 0.4]);
    expect(stalenessOf('A>count(a)=40 A>count(b)=31')).toEqual([0, 0]);
  });

  it('[ANL2] finds a call new that comes to something else than before, even if another call came to it', () => {
    expect(stalenessOf('A>door(a)=open A>door(b)=closed A>door(a)=closed')).toEqual([0, 0, 0]);
  });

  it('[ANL2] finds a long result stale that comes again for another call', () => {
    const hits =
      '["the lighthouse guide, 14 pages","harbour archive of 1958","opening hours of museums nearby"]';
    const calls = ['builder', 'engineer', 'architect'].map((word) => `A>search(${word})=${hits}`);
    expect(stalenessOf(calls.join(' ')).slice(1)).toEqual([1, 1]);
  });

  it('[ANL15] takes a call that comes again after 32 other steps for another one', () => {
    const others = (count: number): string =>
      Array.from({ length: count }, (_, i) => `A>t(x${i})=y${i} `).join('');
    const call = 'A>count(all)=40 ';
    expect(stalenessOf(`${call}${others(31)}${call}`).at(-1)).toBe(1);
    expect(stalenessOf(`${call}${others(32)}${call}`).at(-1)).toBe(0.4);
  });

  it('[ANL3] finds another kind of error new, another error of a kind half new, and the same one stale', () => {
    const errors = ["KeyError: 'a'", "KeyError: 'b'", 'ValueError: no digits', "KeyError: 'a'"];
    const runs = errors.map((error, i) => `A!exit1(try${i}):${quoted(error)}`);
    expect(stalenessOf(runs.join(' '))).toEqual([0, 0.5, 0, 1]);
  });

  it('[ANL3] finds the same error of the same run less stale if it has come further, and of another run not', () => {
    const died = (code: string, shard: number): string =>
      `A!exit1(${code}):${quoted(`shard ${shard} of 47\nMemoryError: no room`)}`;
    const further = [0, 6, 12, 12].map((shard) => died('resume', shard));
    expect(stalenessOf(further.join(' '))).toEqual([0, 0.4, 0.4, 1]);
    const others = [0, 6, 12].map((shard) => died(`try${shard}`, shard));
    expect(stalenessOf(others.join(' '))).toEqual([0, 1, 1]);
  });

  it('[ANL3] reads errors in messages, too', () => {
    const errors = ["KeyError: 'a'", "KeyError: 'b'", "KeyError: 'a'"];
    const told = errors.map((error) => `B:${quoted(`exitcode: 1\n${error}`)}`);
    expect(stalenessOf(told.join(' '))).toEqual([0, 0.5, 1]);
  });

  it('[ANL16] compares an action with those of its kind alone', () => {
    const words = '"Gulls circle above the pier."';
    expect(lastStep(`A:${words} A>note(${words})=ok`).sameness).toBe(0);
    expect(lastStep(`A:${words} A>note(${words})=ok A:${words}`).sameness).toBe(1);
  });

  it('[ANL16] knows the two most similar ones wherever they stand among the latest', () => {
    const [first, same] = ['A:"Gulls circle above the pier."', 'A:"Please review the draft."'];
    const found = stepsOf(`${first} ${same} ${same} ${same}`).slice(-2);
    expect(found.map(({ sameness, recurrence }) => [sameness, recurrence])).toEqual([
      [1, 0],
      [1, 1],
    ]);
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
});

describe('Analyzer: people and waits', () => {
  const call = 'A>status(job7)=running';
  const at = 0;
  const called = {
    kind: 'tool-call',
    at,
    agent: 'a',
    tool: 't',
    args: {},
    result: 'none',
  } as const;

  it('[ANL5] forgets what was done when a person speaks, not when nobody answers', () => {
    expect(stalenessOf(`${call} P?"Please do so." ${call}`).at(-1)).toBe(0);
    const analyzer = new Analyzer();
    analyzer.observe(called);
    analyzer.observe({ kind: 'human-input', at, agent: 'p', decision: 'timeout' });
    expect(analyzer.observe(called).staleness).toBe(1);
  });

  it('[ANL19] takes a new task of a program for news that settles nothing', () => {
    const task = { kind: 'human-input', at, agent: 'p', text: 'Now the cellar.' } as const;
    const analyzer = new Analyzer();
    analyzer.observe(called);
    const found = analyzer.observe({ ...task, isAutomatic: true });
    expect(found).toMatchObject({ staleness: 0, isPerson: false });
    expect(analyzer.observe(called).staleness).toBe(1);
  });

  it('[ANL19] finds an answer stale that did not come in time', () => {
    const asked = { kind: 'human-input', at, agent: 'p', waitedMs: 60_000 } as const;
    const found = [{ decision: 'timeout' }, {}] as const;
    expect(found.map((end) => new Analyzer().observe({ ...asked, ...end }).staleness)).toEqual([
      1, 0,
    ]);
  });

  it('[ANL5] takes the same words again for those of a program, unless they were waited for', () => {
    const again = { kind: 'human-input', at: 0, agent: 'p', text: 'Go on.' } as const;
    const analyzer = new Analyzer();
    expect(analyzer.observe(again).isPerson).toBe(true);
    expect(analyzer.observe(again).isPerson).toBe(false);
    expect(analyzer.observe({ ...again, waitedMs: 60_000 }).isPerson).toBe(true);
    expect(analyzer.observe({ ...again, decision: 'approve' }).isPerson).toBe(true);
  });

  it('[ANL5] forgets what was done after ten minutes, and tells of shorter waits', () => {
    expect(lastStep(`${call} +60000 ${call}`)).toMatchObject({ isAfterWait: true, staleness: 1 });
    expect(lastStep(`${call} +600000 ${call}`)).toMatchObject({ isAfterWait: true, staleness: 0 });
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
