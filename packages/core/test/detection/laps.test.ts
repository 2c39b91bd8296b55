import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/detection/analyzer.ts';
import type { ToolCallSignal } from '../../src/kit.ts';
import { laps, lastStep } from '../support/steps.ts';

const quoted = (text: string): string => JSON.stringify(text);
const uuid = (i: number): string => `3f2b${i}c1e-9a4d-4e${i}7-8b21-5d${i}0c7e9f4a2`;
const polled = (volatile: (i: number) => string): string =>
  [1, 2, 3].map((i) => `A>poll(q)={"note":"empty, ${volatile(i)}"} `).join('');

describe('laps', () => {
  it('[LAP12] count calls of one declared key, whatever comes of them', () => {
    const tools = { order: { loopKey: () => 'open' } };
    const calls =
      'A>order(1)!"429 retry in 7 seconds" A>order(2)=done A>order(3)!"402 pay $5 more"';
    expect(laps(calls, { tools })).toBe(3);
    expect(laps(calls)).toBe(0);
    expect(laps(calls.replace(/ A>/g, ' +20000 A>'), { tools })).toBe(3);
  });

  it('[LAP13] are made of steps that are not older than forgetAfterMs', () => {
    const calls = 'A>t(a)=1 +25000 A>t(a)=1 A>t(a)=1';
    expect(laps(calls)).toBe(3);
    expect(laps(calls, { forgetAfterMs: 10_000 })).toBe(2);
    const often = 'A>t(a)=1 +500000 '.repeat(40);
    expect(laps(often)).toBe(0);
  });

  it("[LAP14] are read by what '*' declares, unless a tool has an entry", () => {
    const tools = { '*': { loopKey: () => 'any' }, read: {} };
    expect(laps('A>list(1)=a A>list(2)=b A>list(3)=c', { tools })).toBe(3);
    expect(laps('A>read(1)=a A>read(2)=b A>read(3)=c', { tools })).toBe(0);
  });

  it.each([1, 2, 3, 5, 8, 13, 21])('[LAP1] are counted with %i steps each', (period) => {
    const lap = Array.from({ length: period }, (_, i) => `A>step${i}(same)=done${i} `).join('');
    expect(laps(lap)).toBe(0);
    expect(lastStep(lap.repeat(3)).laps).toMatchObject({ laps: 3, period });
  });

  it('[LAP1] are counted in any order, as long as each step comes again', () => {
    const [a, b, c] = ['A>t(a)=1 ', 'A>t(b)=2 ', 'A>t(c)=3 '];
    expect(laps(`${a}${b}${c}${b}${a}${c}${c}${a}${b}`)).toBe(3);
    expect(laps(`${a}${b}${c}${b}${a}${b}${a}${b}${a}`)).toBe(3);
    expect(laps(`${a}${b}${b}`)).toBe(2);
    expect(laps(`${a}${b}${c}${a}${b}`)).toBe(0);
  });

  it('[LAP1] begin where all that follows the first one had happened before', () => {
    const [a, b] = ['A>t(a)=1 ', 'A>t(b)=2 '];
    expect(laps(`${a}${a}${b}${b}${a}${b}`)).toBe(2);
  });

  it('[LAP1] count what several agents say and do', () => {
    const ring = 'A:"Over to you for the review." B>read(a.txt)=alpha B:"I have nothing to add." ';
    expect(laps(ring.repeat(3))).toBe(3);
    const swap = 'A>write({"timeout":30})=ok B>write({"timeout":60})=ok ';
    expect(laps(swap.repeat(3))).toBe(3);
    const handovers = 'A->B:"This is yours, I think." B->A:"No, it is yours." ';
    expect(laps(handovers.repeat(3))).toBe(3);
  });

  it.each([
    ['another argument', 'A>delete({"id":7})=deleted'],
    ['another result', 'A>count(all)=31'],
    ['a number that moves', 'A>status(job)={"percent":64}'],
    ['the words of another agent', 'B:"I found the customs form behind the radiator."'],
    ['one word of another agent', 'B:tortoise'],
    ['another exit code', 'A!exit1(test):"42 passed"'],
  ])('[LAP3] end with %s', (_, news) => {
    const lap = 'A>count(all)=40 A>status(job)={"percent":63} A!exit0(test):"42 passed" ';
    expect(laps(lap.repeat(4))).toBe(4);
    expect(laps(`${lap.repeat(2)}${news} ${lap.repeat(2)}`)).toBeLessThan(3);
  });

  it('[LAP2] compare asks to the letter, apart from the order of their fields and empty ones', () => {
    const [one, two] = ['A>get({"a":1,"b":"X"})=x ', 'A>get({"b":"X","a":1,"c":null})=x '];
    expect(laps(one + two + one)).toBe(3);
    expect(laps('A>get({"b":"X"})=x A>get({"b":"x"})=x A>get({"b":"X "})=x ')).toBe(0);
    expect(laps('A>sort([1,2])=x A>sort([2,1])=x A>sort([1,2])=x ')).toBe(0);
    const ids = ['3f2b1c1e-9a4d-4e17-8b21-5d10c7e9f4a2', '9f2b1c1e-9a4d-4e17-8b21-5d10c7e9f4a2'];
    expect(laps(ids.map((id) => `A>archive(${id})=ok `).join(''))).toBe(0);
  });

  it('[LAP2] compare asks to the end, however long they are', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => i % 9);
    const sent = (last: readonly number[]): string =>
      last.map((row) => `A>send(${JSON.stringify([...rows, row])})=ok `).join('');
    expect(laps(sent([1, 1]))).toBe(2);
    expect(laps(sent([1, 2]))).toBe(0);
  });

  it('[LAP2] compare what is said by its signs as well: a bar that grows is no lap', () => {
    const bars = [3, 4, 5, 6].map((done) => `A:"Downloading ${'='.repeat(done)}>"`);
    expect(laps(bars.join(' '))).toBe(0);
    expect(laps(`${bars[0]} `.repeat(3))).toBe(3);
  });

  it.each([
    ['times', (i: number) => `2025-03-0${i}T1${i}:4${i}:10Z`],
    ['durations', (i: number) => `${i}7.3 ms`],
  ])('[LAP2] leave %s out of results and texts', (_, volatile) => {
    expect(laps(polled(volatile))).toBe(3);
    const said = [1, 2, 3].map((i) => `A:"Nothing to report, ${volatile(i)}." `).join('');
    expect(laps(said)).toBe(3);
  });

  it('[LAP2] leave random ids out of results', () => {
    expect(laps(polled(uuid))).toBe(3);
  });

  it('[LAP2] tell apart by its id what agents speak of, hand over or give as a task', () => {
    const reviewed = (id: (i: number) => string): string =>
      [1, 2, 3, 4].map((i) => `A:"Review ${id(i)}, please." B:"Looks good to me." `).join('');
    expect(laps(reviewed(uuid))).toBe(0);
    expect(laps(reviewed(() => uuid(1)))).toBe(4);
    const handed = (id: (i: number) => string): string =>
      [1, 2, 3].map((i) => `A->B:"Handle ${id(i)}" B->A:"Handled" `).join('');
    expect(laps(handed(uuid))).toBe(0);
    expect(laps(handed(() => uuid(1)))).toBe(3);
  });

  it('[LAP2] tell results apart that differ in signs, blanks or repeated words alone', () => {
    const maps = ['#..#', '#.. #', '##..#', '# ..#'].map((map) => `A>look(map)=${quoted(map)} `);
    expect(laps(maps.join(''))).toBe(0);
    expect(laps('A>list(q)=[] A>list(q)=["a"] A>list(q)=[] ')).toBe(0);
  });

  it('[LAP4] leave out what an agent remarks beside its own calls, and no news', () => {
    const saying = (words: readonly string[]): string =>
      words.map((text) => `A>status(job)=running A:${quoted(text)} `).join('');
    expect(
      laps(`${saying(['Still running.', 'It runs on.', 'Still runs.'])}A>status(job)=running`),
    ).toBe(4);
    const news = ['Row 4711 is gone.', 'Row 5822 is gone.', 'Row 6933 is gone.'];
    expect(laps(`${saying(news)}A>status(job)=running`)).toBe(0);
  });

  it('[LAP5] take an empty message for no step, and a single word for one only while it is new', () => {
    expect(laps('A:"" '.repeat(6))).toBe(0);
    expect(laps('A:ok '.repeat(6))).toBe(0);
    expect(
      laps('A:"Next word, please." B:otter A:"Next word, please." B:raven A:"Next word, please."'),
    ).toBe(0);
    const same = 'A:"Next word, please." B:otter ';
    expect(laps(same.repeat(3))).toBeLessThan(3);
    expect(laps(`${same.repeat(3)}A:"Next word, please."`)).toBe(3);
  });

  it('[LAP5] go on over an empty message of another agent', () => {
    expect(laps('A:"I will look into it now." B:"" '.repeat(3))).toBe(0);
    expect(laps('A:"I will look into it now." B:"" '.repeat(3).slice(0, -5))).toBe(3);
  });

  const shown = (code: string, around = 'Let me run it.'): string =>
    `A:${quoted(`${around}\n\`\`\`sh\n${code}\n\`\`\``)} `;

  it('[LAP6] take what answers a message with code for the outcome of that code', () => {
    expect(
      laps(`${shown('make', 'First.')}B:"" ${shown('make', 'Then.')}B:"" ${shown('make')}B:""`),
    ).toBe(3);
    const silent = ['mkdir out', 'cp a.txt out', 'chmod +x run.sh', 'rm old.txt'];
    expect(laps(silent.map((code) => `${shown(code)}B:"" `).join(''))).toBe(0);
    const moving = [3, 2, 1].map((left) => `${shown('make')}B:"${left} tests fail" `);
    expect(laps(moving.join(''))).toBe(0);
  });

  it('[LAP6] wait for another agent to answer the code, whatever its author adds', () => {
    const added = `${shown('make')}A:"It may take a while."`;
    expect(lastStep(added).isAct).toBe(false);
    expect(lastStep(`${added} B:"3 tests fail"`).isAct).toBe(true);
  });

  it('[LAP6] take code for said that nobody answers', () => {
    expect(laps(shown('make').repeat(4))).toBe(3);
  });

  it('[LAP15] leave input of a harness alone that follows its own', () => {
    const nag = 'H?"No tool calls found in the response." ';
    expect(laps(nag.repeat(8))).toBe(0);
    expect(laps(`${nag}I?"Go on." `.repeat(4))).toBeGreaterThan(2);
    expect(laps(`${nag}A:"I do not know what to do." `.repeat(4))).toBeGreaterThan(2);
    expect(laps(`${`${nag}A#900/40 `.repeat(4)}${nag}`)).toBeGreaterThan(2);
  });

  it('[LAP15] count input of a harness with anything of others in between', () => {
    const nag = 'H?"No tool calls found in the response." ';
    const told = `${nag}${nag}A:"I do not know what to do." `;
    expect(laps(told.repeat(4))).toBeGreaterThan(2);
    expect(laps(`${nag}A:"I am at the gate of the old harbour." ${nag.repeat(5)}`)).toBe(0);
  });

  it('[LAP8] leave out calls that were turned away, and declared polls while they wait', () => {
    const analyzer = new Analyzer();
    const steps = [0, 1, 2, 3].map((at) =>
      analyzer.observe({
        kind: 'tool-call',
        at,
        agent: 'A',
        tool: 'order',
        args: {},
        error: { message: 'not now' },
        executed: false,
      }),
    );
    expect(steps.at(-1)?.laps).toBeUndefined();
    const tools = { status: { polls: { maxWaitMs: 60_000 } } };
    expect(laps('+1000 A>status(job)=running '.repeat(6), { tools })).toBe(0);
  });

  it('[LAP9] begin anew when a person speaks, and after ten minutes', () => {
    const call = 'A>count(all)=40 ';
    expect(laps(`${call}${call}P?"Again, please." ${call}`)).toBe(0);
    expect(laps(`${call.repeat(12)}+599000 ${call}`)).toBe(0);
    expect(laps(`${call.repeat(12)}+598999 ${call.repeat(3)}`)).toBe(3);
  });

  it('[LAP10] are looked for in the latest 64 steps', () => {
    const lap = Array.from({ length: 33 }, (_, i) => `A>step${i}(same)=done${i} `).join('');
    expect(laps(lap.repeat(4))).toBe(0);
  });

  it('[LAP8] leave out calls that the breaker refused and that were never made', () => {
    const refused = {
      executed: false,
      error: { message: 'no', code: 'TEAMFUSE_REFUSED' },
    } as const;
    const call = { kind: 'tool-call', at: 0, agent: 'A', tool: 'order', args: {} } as const;
    const lapsOf = (calls: readonly ToolCallSignal[]): number => {
      const analyzer = new Analyzer();
      return calls.map((one) => analyzer.observe(one)).at(-1)?.laps?.laps ?? 0;
    };
    const again = Array(3).fill({ ...call, ...refused });
    expect(lapsOf(again)).toBe(0);
    expect(lapsOf([{ ...call, result: 'none' }, ...again])).toBe(4);
  });

  it('[LAP11] name the last step that was new', () => {
    const text = `A>open(a)=1 B:"Found row 4711." ${'A>count(all)=40 '.repeat(3)}`;
    expect(lastStep(text).laps?.newsAt).toBe(2);
    expect(lastStep(text).laps?.steps.map(({ index }) => index)).toEqual([2, 3, 4]);
  });
});
