import { timeline, transcript } from '@teamfuse/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/detection/analyzer.ts';
import {
  NestedCascadeDetector,
  type NestedCascadeOptions,
} from '../../../src/detection/detectors/nested-cascade.ts';
import { Breaker, type Conversation, type Signal } from '../../../src/index.ts';

function cascade(text: string, options?: NestedCascadeOptions): string {
  return timeline(new NestedCascadeDetector(options), transcript(text));
}

/** A nested review: what is asked for, and what is said there and comes back. */
function review(task: string, result: string): string {
  return `L{review:${JSON.stringify(task)} R:${JSON.stringify(result)} L}${JSON.stringify(result)}`;
}

const TASKS = [
  'Please check the plan for gaps.',
  'Have another look at the plan.',
  'Could you review our plan once more?',
  'Go over the plan again and tell me whether it holds.',
  'I would like a second opinion on the plan.',
  'Verify that the plan is complete.',
];
const RESULT = 'The plan has no backup and nobody is named who decides.';
const RESULTS = [
  RESULT,
  'There is no backup in the plan, and it names nobody who decides.',
  'Nobody who decides is named, and the plan lacks a backup.',
  'A backup is missing, and so is the name of who decides.',
  'The plan does not name who decides and has no backup.',
];
const FINDINGS = [
  'Smith holds that tides are predictable.',
  'Jones argues that dams harm estuaries.',
  'Weber measured silt in the basin.',
  'Okoro doubts the cost figures.',
  'Lindqvist proposes floating turbines.',
  'Tanaka compares lagoons with barrages.',
  'Silva finds fish passing unharmed.',
];

describe('NestedCascadeDetector', () => {
  it('[NST1] trips when one trigger starts the same chat a fourth time and nothing comes of it', () => {
    expect(cascade('A{review:check C:"Fine by me." A}ok '.repeat(5))).toMatch(/^\.{9}T/);
  });

  it('[NST1] trips when the same is asked in any language and comes to the same', () => {
    const task = review('計画を確認してください。', '計画にはバックアップがありません。');
    expect(cascade(`${task} `.repeat(5))).toMatch(/^\.{9}T/);
  });

  it('[NST5] leaves chats alone that are asked in other words, or come back in other words', () => {
    const asked = TASKS.map((task) => review(task, RESULT));
    expect(cascade(asked.join(' '))).not.toContain('T');
    const told = RESULTS.map((result) => review(TASKS[0] as string, result));
    expect(cascade(told.join(' '))).not.toContain('T');
  });

  it('[NST2] trips beyond the allowed depth', () => {
    expect(cascade('A{one B{two C{three', { maxDepth: 2 })).toBe('..T');
  });

  it('[NST2] trips beyond the allowed number', () => {
    expect(cascade('A{one:a A} A{two:b A} A{three:c', { maxTotal: 2 })).toBe('....T');
  });

  it('[NST2] counts those of one run, or since a person last spoke', () => {
    const ended = (
      between: (conversation: Conversation, task: string) => void,
    ): string | undefined => {
      const conversation = new Breaker({ nestedCascade: { maxTotal: 2 } }).conversation();
      for (const finding of FINDINGS) {
        between(conversation, finding);
        const [task, , end] = transcript(review(finding, finding));
        for (const signal of [task, end]) conversation.observe(signal as Signal);
      }
      return conversation.trip?.kind;
    };
    expect(ended(() => {})).toBe('nested-cascade');
    expect(ended((conversation) => conversation.beginRun())).toBeUndefined();
    const asked = { kind: 'human-input', agent: 'P' } as const;
    expect(ended((conversation, text) => conversation.observe({ ...asked, text }))).toBeUndefined();
  });

  it('[NST3] lets a trigger start chats as long as the outer conversation gets on', () => {
    const sections = Array.from(
      { length: 12 },
      (_, i) =>
        `A:"Section ${i + 1} on topic${i * 31} is written: ${i * 417 + 83} words." A{critic:check C:"Fine by me." A}ok`,
    );
    expect(cascade(sections.join(' '))).not.toContain('T');
  });

  it('[NST3] lets a trigger start chats as long as something new happens in them', () => {
    const parts = FINDINGS.map(
      (_, i) => `L{work:"Go on." W>write({"file":"part${i}"})={"bytes":${i * 37 + 11}} L}"Done."`,
    );
    expect(cascade(parts.join(' '))).not.toContain('T');
  });

  it('[NST5] leaves chats alone that bring other results, whatever they are asked', () => {
    const bare = FINDINGS.map((found) => `L{read:"Read the next source." L}"${found}"`);
    expect(cascade(bare.join(' '))).not.toContain('T');
    const told = FINDINGS.map((found) => review('Read the next source.', found));
    expect(cascade(told.join(' '))).not.toContain('T');
  });

  it('[NST5] leaves a review alone whose open points become fewer', () => {
    const rounds = [5, 4, 3, 2, 1, 0].map((open) => review('Review it.', `Open points: ${open}.`));
    expect(cascade(rounds.join(' '))).not.toContain('T');
  });

  it.each([
    ['another thing', (i: number) => `Screen the supplier ${FINDINGS[i]?.split(' ')[0]}.`],
    ['nothing but a name', (i: number) => FINDINGS[i]?.split(' ')[0] ?? ''],
    ['another number', (i: number) => `Translate chapter ${i + 1}.`],
  ])('[NST5] leaves chats alone that are asked for %s, with one result', (_, task) => {
    const chats = FINDINGS.map(
      (_found, i) => `L{screen:${JSON.stringify(task(i))} L}"No entry was found."`,
    );
    expect(cascade(chats.join(' '))).not.toContain('T');
  });

  it('[NST5] takes the name of a chat for its task where it has none', () => {
    const screened = (nameOf: (i: number) => string): string => {
      const chats = FINDINGS.flatMap((_, at): Signal[] => {
        const chatId = nameOf(at);
        const chat = { at, agent: 'lead', chatId, depth: 1, path: ['lead', chatId] };
        const result = 'No entry was found.';
        return [
          { kind: 'nested-start', ...chat, trigger: 'screen' },
          { kind: 'nested-end', ...chat, text: result },
        ];
      });
      return timeline(new NestedCascadeDetector(), chats);
    };
    expect(screened(() => 'supplier')).toContain('T');
    expect(
      screened((i) => `supplier#${String(i).repeat(8)}-9bd1-40ae-9515-5001c90b372d`),
    ).toContain('T');
    expect(screened((i) => `supplier-${i}`)).not.toContain('T');
  });

  it('[NST8] counts chats whatever they are asked, if the user has set the limit', () => {
    const asked = TASKS.map((task) => review(task, RESULT)).join(' ');
    expect(cascade(asked, { limit: 2 }).indexOf('T')).toBe(6);
    expect(cascade(asked, { limit: 4 }).indexOf('T')).toBe(12);
  });

  it('[NST8] begins anew with another result that has a figure, an item, or fifteen words', () => {
    const results = (...of: readonly string[]): string =>
      cascade(of.map((result, i) => review(TASKS[i] as string, result)).join(' '), { limit: 2 });
    expect(results('Not yet.', 'No.', 'Not so.', 'Never.')).toContain('T');
    expect(results('Open: 9.', 'Open: 7.', 'Open: 4.', 'Open: 2.')).not.toContain('T');
    expect(
      results(...FINDINGS.slice(0, 6).map((found) => `${found} ${RESULT} ${RESULT}`)),
    ).not.toContain('T');
  });

  it('[NST8] begins anew with a new result of an outer call, and not with one of a chat', () => {
    const asked = (between: (i: number) => string): string =>
      cascade(TASKS.map((task, i) => `${between(i)} ${review(task, RESULT)}`).join(' '), {
        limit: 2,
      });
    expect(asked((i) => `L>write(part${i})="${i * 37 + 11} bytes"`)).not.toContain('T');
    expect(asked(() => 'L>write(part)=done')).toContain('T');
    const inner = TASKS.map(
      (task, i) =>
        `L{review:${JSON.stringify(task)} R>read(part${i})="${i * 37 + 11} bytes" L}"${RESULT}"`,
    );
    expect(cascade(inner.join(' '), { limit: 2 })).toContain('T');
  });

  it('[NST8] is declared then, and else suspected', () => {
    const basis = (options?: NestedCascadeOptions): unknown => {
      const analyzer = new Analyzer();
      const detector = new NestedCascadeDetector(options);
      const task = review(TASKS[0] as string, RESULT);
      const steps = transcript(`${task} `.repeat(5)).map((signal) => analyzer.observe(signal));
      return steps.map((step) => detector.observe(step)).find(Boolean)?.basis;
    };
    expect(basis()).toBe('suspected');
    expect(basis({ limit: 3 })).toBe('declared');
  });

  it('[NST6] takes chats side by side as one round, however many and in whatever order they end', () => {
    const orders = fc.array(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(orders, (batches) => {
        const signals = batches.flatMap((order, batch) => fanOut(order, batch));
        expect(timeline(new NestedCascadeDetector(), signals)).not.toContain('T');
      }),
    );
  });

  it('[NST6] takes a round of chats side by side for one chat', () => {
    const order = [4, 3, 2, 1, 0];
    const signals = [0, 1, 2, 3].flatMap((batch) => fanOut(order, batch));
    expect(timeline(new NestedCascadeDetector(), signals)).toMatch(/^\.{30}T\.{9}$/);
  });

  it('[NST7] begins afresh after a person, or a long wait', () => {
    const round = `${review('Is it up?', 'All is well.')} `;
    expect(cascade(`${round.repeat(3)}P?"Once more, please." ${round.repeat(3)}`)).not.toContain(
      'T',
    );
    expect(cascade(`+3600000 ${round}`.repeat(6))).not.toContain('T');
  });

  it.each([
    [{ limit: 0 }, 'nestedCascade.limit'],
    [{ maxDepth: -1 }, 'nestedCascade.maxDepth'],
  ])('[NST4] refuses %j and names the option', (options, option) => {
    expect(() => new NestedCascadeDetector(options)).toThrow(expect.objectContaining({ option }));
  });
});

/** Five chats of one trigger that are under way at the same time, and end in this order with the same result. */
function fanOut(order: readonly number[], batch: number): Signal[] {
  const place = (i: number) => {
    const chatId = `part${batch}-${i}`;
    return { at: batch, agent: 'lead', chatId, depth: 1, path: ['lead', chatId] };
  };
  const starts = [0, 1, 2, 3, 4].map((i): Signal => {
    return { kind: 'nested-start', ...place(i), trigger: 'tool:task', text: 'Do your part.' };
  });
  const ends = order.map((i): Signal => ({ kind: 'nested-end', ...place(i), text: 'Done.' }));
  return [...starts, ...ends];
}
