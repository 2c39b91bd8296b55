import { array, assert as check, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Transcripts } from '../../src/identity/transcripts.ts';
import type { Item } from '../../src/item.ts';
import { type Message, system, user, Wiretap } from '../support/wiretap.ts';

const RULES = 'Answer with Thought, Action, Observation.';
const QUESTION = 'Question: when is high tide in Emden, and when in Husum?';
const TURNS = 12;

/** What an agent of ReAct sends: its history in one text, which ends where the model goes on. */
const promptOf = (steps: readonly (readonly [string, string])[], question = QUESTION): Message =>
  user(
    `${question}\n${steps.map(([said, seen]) => `Thought:${said}\nObservation: ${seen}\n`).join('')}Thought:`,
  );

/** Lets an agent of ReAct work until it is refused. Returns how often its model was asked. */
async function work(
  wiretap: Wiretap,
  step: (turn: number) => readonly [string, string],
  question?: string,
): Promise<number> {
  const steps: (readonly [string, string])[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const [said, seen] = step(turn);
    const { status } = await wiretap.ask([system(RULES), promptOf(steps, question)], said);
    if (status !== 200) return turn;
    steps.push([said, seen]);
  }
  return TURNS;
}

const PLACES = [
  'Emden',
  'Husum',
  'Wismar',
  'Kiel',
  'Bremen',
  'Stade',
  'Norden',
  'Leer',
  'Jever',
  'Aurich',
  'Esens',
  'Dornum',
];
const searching = (turn: number) =>
  [
    ` I look up ${PLACES[turn]}.\nAction: search[${PLACES[turn]}]`,
    `the tide table of ${PLACES[turn]}`,
  ] as const;

describe('a prompt that holds the whole history', () => {
  test('[WIRE94] is one conversation, in which each answer and each observation is told once', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    await work(wiretap, searching);
    expect(wiretap.conversations).toHaveLength(1);
    const texts = wiretap.told.flatMap(({ signal }) =>
      'text' in signal && signal.text ? [signal.text] : [],
    );
    const told = PLACES.flatMap((_, turn) => {
      const [said, seen] = searching(turn);
      return [said.trim(), `Observation: ${seen}\nThought:`];
    });
    expect(texts).toEqual([`${QUESTION}\nThought:`, ...told.slice(0, -2)]);
  });

  test('[WIRE94] is stopped where it goes in circles', async () => {
    const again = () => [' I should search.\nAction: search[tides]', 'no hits'] as const;
    expect(await work(new Wiretap(), again)).toBeLessThanOrEqual(5);
  });

  test('[WIRE94] is left alone while it gets on', async () => {
    expect(await work(new Wiretap(), searching)).toBe(TURNS);
  });

  test('[WIRE94] is one conversation for each question', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    for (const place of ['Emden', 'Husum']) {
      await work(wiretap, searching, `Question: when is high tide in ${place}, and how high?`);
    }
    expect(wiretap.conversations).toHaveLength(2);
  });

  test('[WIRE94] is one conversation for each of many agents with the same rules', () => {
    const transcripts = new Transcripts();
    const prompts = Array.from({ length: 300 }, (_, i) => `${QUESTION} In the year ${1700 + i}?`);
    for (let turn = 0; turn < 3; turn++) {
      for (const [i, prompt] of prompts.entries()) {
        const { items, answered } = transcripts.read([said('user', prompt)], 'scope');
        expect(items).toHaveLength(1 + 2 * turn);
        answered([said('assistant', `I look it up (${turn}).`)]);
        prompts[i] = `${prompt} I look it up (${turn}).\nObservation: none\nThought:`;
      }
    }
  });

  test('[WIRE94] takes time for each of its characters once, however many answers there were', () => {
    const transcripts = new Transcripts();
    const prompt = 'a'.repeat(1_000_000);
    const { answered } = transcripts.read([said('user', prompt)], 'scope');
    for (let i = 0; i < 1_000; i++) answered([said('assistant', `no ${i}`)]);
    const longer = `${prompt}${' '.repeat(1_000_000)}and so on`;
    const from = performance.now();
    expect(transcripts.read([said('user', longer)], 'scope').items).toHaveLength(1);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  test('[WIRE94] is another one than a prompt that only begins like it', async () => {
    const wiretap = new Wiretap({}, { reaction: 'observe' });
    const article = 'Summarize this article on the tides of the North Sea. Tides come twice a day.';
    await wiretap.ask([user(article)], 'The article is on tides.');
    await wiretap.ask([user(`${article} The moon pulls the sea.`)], 'It is on tides and the moon.');
    expect(wiretap.conversations).toHaveLength(2);
  });

  test('[WIRE94] loses none of its text, whatever it holds', () => {
    const word = constantFrom('Thought:', ' tide', '\n', '  ', 'Observation: ', 'é', '0', '"');
    const text = array(word, { maxLength: 8 }).map((words) => words.join(''));
    check(
      property(array(text, { minLength: 1, maxLength: 12 }), (pieces) => {
        const transcripts = new Transcripts();
        let whole = QUESTION;
        for (const piece of pieces) {
          const { items, answered } = transcripts.read([said('user', whole)], 'scope');
          const read = items.map((item) => (item.kind === 'text' ? item.text : '')).join(' ');
          expect(read.split(/\s+/).join('')).toBe(whole.split(/\s+/).join(''));
          answered([said('assistant', piece)]);
          whole += `${piece} and so on`;
        }
      }),
    );
  });
});

function said(role: 'user' | 'assistant', text: string): Item {
  return { kind: 'text', role, text };
}
